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
  integrationId: string
  release: SeenRange | null
  working: SeenRange | null
  openPulls: OpenPull[]
  /** What the host told of pull requests, those that wait among them. */
  pulls: ToldPull[]
  /** What commits change, by hash, as far as it was asked. */
  patches: ReadonlyMap<string, string>
}
