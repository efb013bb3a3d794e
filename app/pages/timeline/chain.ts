import { firstHash, timelineHash, type TimelineEntry } from '#foundation/core/events/timeline_hash'
import type { Entry } from '../release/answers.js'

/** The hash chain of a timeline, checked. */
export interface Chain {
  count: number
  /** The first entry that does not fit the one before it; null if all do. */
  broken: { position: number; expected: string; found: string } | null
}

interface Timeline {
  /** The text from which the first hash is made. */
  of: string
  entries: readonly (TimelineEntry & Pick<Entry, 'position' | 'hash'>)[]
}

/** Checks a hash chain: the hash of each entry includes the one before it. */
export function chainOf({ of, entries }: Timeline): Chain {
  let previous = firstHash(of)
  for (const entry of entries) {
    const expected = timelineHash(previous, entry)
    if (expected !== entry.hash) {
      const { position, hash: found } = entry
      return { count: entries.length, broken: { position, expected, found } }
    }
    previous = entry.hash
  }
  return { count: entries.length, broken: null }
}
