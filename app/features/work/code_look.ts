import type { CommitRange, OpenPull } from '../tables.js'
import type { ToldPull } from '../queries/seen_pulls.js'
import type { RangeDelta } from './range_delta.js'

/** A range as it is now, and how it came to that. */
export interface SeenRange {
  range: CommitRange
  /** What was kept when it was read: where that is another by now, it is read again. */
  was: CommitRange | null
  delta: RangeDelta
}

/** What was seen of the code of a release; null for what there is not. */
export interface CodeLook {
  /** What tells the repository that was looked at from others. */
  repository: string
  /** The branch of the release where its host has none of that name: what was seen of it stays. */
  missingBranch: string | null
  /** How the branch is called that goes on from it. */
  renamedTo: string | null
  release: SeenRange | null
  working: SeenRange | null
  /** Null where the host did not tell. */
  openPulls: OpenPull[] | null
  /** What the host told of pull requests, those that wait among them. */
  pulls: ToldPull[]
  /** What commits change, by hash, as far as it was asked. */
  patches: ReadonlyMap<string, string>
  /** Whether more of that is to be asked for. */
  patchesOwed: boolean
  /** What others had waited for before it began. */
  awaited: readonly string[]
}
