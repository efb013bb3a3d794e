/** What the person at the console has to change, in one line. */
export class Mistake extends Error {}
