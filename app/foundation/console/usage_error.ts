/** What the person at the console has to change, in one line. */
export class UsageError extends Error {}
