/** An error that the person at the console can fix. Its message alone is shown, on one line. */
export class UsageError extends Error {}
