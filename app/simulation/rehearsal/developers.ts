/** The developers of a rehearsed app, who write and build it, and watch how it does with users. */
export interface Developers {
  /** Commits something to the working branch. @returns its hash; null without a repository */
  commit(message: string): Promise<string | null>
  /** Starts the pipeline for a branch, without the service. @returns what was done, for people */
  build(branch: string): Promise<string | null>
  /**
   * Declares the use of encryption of builds in the App Store.
   * @returns what was done, for people
   */
  declareCompliance(): Promise<string>
  /** Gives the newest build to testers, in the stores' consoles. @returns what was done */
  giveToTesters(): Promise<string>
  /** Presses *Send for review* in the Play Console. @returns what was done */
  sendForReview(): Promise<string>
  /** Publishes approved changes in the Play Console. @returns what was done */
  publish(): Promise<string>
  /** The share of regression items that fail at first, 0 to 1. */
  readonly failing: number
  /** Returns whether anything was built, or is being built, since an instant in milliseconds. */
  builtSince(at: number): boolean
  /** Returns whether users of a version crash more than allowed. */
  isHarmful(version: string): boolean
}
