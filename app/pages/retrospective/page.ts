import { addresses } from '../addresses.js'
import { page, type PageCall } from '../frame/page.js'
import type { Release } from '../release/answers.js'
import { retrospectiveView, type RetrospectiveAnswers } from './view.js'

/** The waiting times of a release, once it is completed. */
export const retrospectivePage = page({
  path: addresses.retrospective,
  template: 'retrospective/page',
  async read({ ask, params: { appId, releaseId } }: PageCall): Promise<RetrospectiveAnswers> {
    const of = { params: { appId, releaseId } }
    const [release, answer] = await Promise.all([
      ask<Release>('getRelease', of),
      ask<Pick<RetrospectiveAnswers, 'retrospective'>>('getReleaseRetrospective', of),
    ])
    return { release: release.body, retrospective: answer.body.retrospective }
  },
  view: retrospectiveView,
})
