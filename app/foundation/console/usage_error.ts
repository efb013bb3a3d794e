/** An error that the person at the console can fix, in one line. */
export class UsageError extends Error {}
