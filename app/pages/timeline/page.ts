import { addresses } from '../addresses.js'
import { page, type PageCall } from '../frame/page.js'
import type { Entry, Release } from '../release/answers.js'
import type { TimelineAnswers } from './answers.js'
import { chainOf } from './chain.js'
import { timelineView } from './view.js'

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
