import type { CommitRange, OpenPull } from '../tables.js'
import type { ReportedPull } from '../queries/seen_pulls.js'
import type { RangeDelta } from './range_delta.js'

/** A range as it is now, and its difference from the stored one. */
export interface SeenRange {
  range: CommitRange
  /** The stored range when it was read: if it differs by now, it is read again. */
  was: CommitRange | null
  delta: RangeDelta
}

/** An observation of the code of a release; null for missing parts. */
export interface CodeObservation {
  /** Identity of the repository. */
  repository: string
  /**
   * The branch of the release if its host has none of that name; what was last observed stays
   * valid.
   */
  missingBranch: string | null
  /** The new name of a renamed branch. */
  renamedTo: string | null
  release: SeenRange | null
  working: SeenRange | null
  /** Null if the host did not report them. */
  openPulls: OpenPull[] | null
  /** Pull requests as the host reports them, the open ones included. */
  pulls: ReportedPull[]
  /** Patch ids by commit hash, as far as they were read. */
  patches: ReadonlyMap<string, string>
  /** True if more of them are to be read. */
  patchesOwed: boolean
  /** The requests of subscribers that were waiting before the poll began. */
  awaited: readonly string[]
}
