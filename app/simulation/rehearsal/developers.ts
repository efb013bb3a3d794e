/** Those who write and build the app of a rehearsal, and see how it fares with users. */
export interface Developers {
  /** Commits something to the working branch. @returns its hash; null without a repository */
  commit(message: string): Promise<string | null>
  /** Has the pipeline build a branch, past the service. @returns what was done, for people */
  build(branch: string): Promise<string | null>
  /** Says in the App Store whether builds encrypt. @returns what was done, for people */
  declareCompliance(): Promise<string>
  /** Gives the newest build to testers, in the stores' consoles. @returns what was done */
  giveToTesters(): Promise<string>
  /** Presses *Send for review* in the Play Console. @returns what was done */
  sendForReview(): Promise<string>
  /** Publishes in the Play Console what it holds back. @returns what was done */
  publish(): Promise<string>
  /** The share of regression items that fail at first, 0 to 1. */
  readonly failing: number
  /** Returns whether anything was built, or is being built, since an instant in milliseconds. */
  builtSince(at: number): boolean
  /** Returns whether users of a version crash more than allowed. */
  isHarmful(version: string): boolean
}
