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
  async read({ ask, params: { appId, releaseId } }: PageCall): Promise<TimelineAnswers> {
    const of = { params: { appId, releaseId } }
    const [release, evidence] = await Promise.all([
      ask<Release>('getRelease', of),
      ask<{ timeline: { of: string; entries: Entry[] } }>('getReleaseEvidence', of),
    ])
    const { timeline } = evidence.body
    return { release: release.body, entries: timeline.entries, chain: chainOf(timeline) }
  },
  view: timelineView,
})
