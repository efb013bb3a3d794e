import { firstHash, timelineHash, type TimelineEntry } from '#foundation/core/events/timeline_hash'
import { addresses } from '../addresses.js'
import { page, type PageCall } from '../frame/page.js'
import type { Entry, Release } from '../release/answers.js'
import { timelineView } from './view.js'

/** The chain of a timeline, as the evidence of the release holds it. */
export interface Chain {
  count: number
  /** The first entry that does not fit the one before it; null where all do. */
  broken: { position: number; expected: string; found: string } | null
}

export interface TimelineAnswers {
  release: Release
  entries: readonly Entry[]
  nextCursor: string | null
  chain: Chain
}

/** The timeline of a release, newest first, with the proof of its chain. */
export const timelinePage = page({
  path: addresses.timeline,
  template: 'timeline/page',
  async read({ ask, params, query }: PageCall): Promise<TimelineAnswers> {
    const of = { params: { appId: params.appId, releaseId: params.releaseId } }
    const asked = {
      ...(query.type && { type: query.type }),
      ...(query.cursor && { cursor: query.cursor }),
    }
    const [release, entries, evidence] = await Promise.all([
      ask<Release>('getRelease', of),
      ask<{ data: Entry[]; pagination: { nextCursor: string | null } }>('listTimelineEvents', {
        ...of,
        query: asked,
      }),
      ask<{ timeline: { of: string; entries: Entry[] } }>('getReleaseEvidence', of),
    ])
    return {
      release: release.body,
      entries: entries.body.data,
      nextCursor: entries.body.pagination.nextCursor,
      chain: chainOf(evidence.body.timeline),
    }
  },
  view: timelineView,
})

interface Timeline {
  /** What the first hash is made of. */
  of: string
  entries: readonly (TimelineEntry & Pick<Entry, 'position' | 'hash'>)[]
}

/** Proves a chain: each entry is hashed with the one before it. */
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
