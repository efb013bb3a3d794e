import { onObservation } from '#foundation/jobs/handlers'
import { earlier } from '#foundation/core/clock'
import type { StoreReview } from '#plugin-kit/capabilities/stores'
import { HOUR, MINUTE } from '#foundation/core/durations'
import { RecordReviews } from '../actions/record_reviews.js'
import { lastReviewAt } from '../queries/store_reviews.js'
import { endWatch, isReviewed } from '../observations/watch_stores.js'
import { reviewsKind } from '../work_kinds.js'
import { unlessGone } from '#integrations/ask_provider'
import { askStore, everyPage, targetOf } from './ask_store.js'

/** Time before the newest review that is read again, in milliseconds, because users edit reviews. */
const OVERLAP = 7 * 24 * HOUR

/** Polls the reviews of an app in its store. */
export const observeReviews = onObservation(reviewsKind, {
  actor: 'app store',
  lease: 4 * MINUTE,
  every: { least: 30 * MINUTE, most: 6 * HOUR },
  retry: { steps: [10 * MINUTE, HOUR, 6 * HOUR] },
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  async poll(job, context): Promise<StoreReview[] | null> {
    const last = await lastReviewAt(context.scope, job.payload.integrationId)
    const since = last === null ? undefined : earlier(last, OVERLAP)
    return unlessGone(() =>
      askStore(job, context, 'appStore', (store) =>
        everyPage((cursor) => store.listReviews({ since }, cursor))
      )
    )
  },
  async store(scope, { payload }, reviews) {
    const target = await targetOf(scope, payload)
    const isOver = reviews === null || !target || !(await isReviewed(scope, payload.appId))
    const changes = reviews && target ? await new RecordReviews(scope).handle(target, reviews) : 0
    if (isOver) {
      await endWatch(scope, payload, 'reviews')
      return 'over'
    }
    return changes > 0 ? 'changed' : 'unchanged'
  },
})
