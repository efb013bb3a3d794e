import type { ReleaseRetrospectiveEntity } from '#releases/retrospective/entity'
import { addresses } from '../addresses.js'
import { page, type PageCall } from '../frame/page.js'
import type { Release } from '../release/answers.js'
import { hasRetrospective, retrospectiveView, type RetrospectiveAnswers } from './view.js'

/** What a release waited for, once it is completed. */
export const retrospectivePage = page({
  path: addresses.retrospective,
  template: 'retrospective/page',
  async read({ ask, params: { appId, releaseId } }: PageCall): Promise<RetrospectiveAnswers> {
    const of = { params: { appId, releaseId } }
    const { body: release } = await ask<Release>('getRelease', of)
    if (!hasRetrospective(release)) return { release, retrospective: null }
    const { body } = await ask<ReleaseRetrospectiveEntity>('getReleaseRetrospective', of)
    return { release, retrospective: body }
  },
  view: retrospectiveView,
})
