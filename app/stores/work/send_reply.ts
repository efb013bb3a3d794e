import { onCommand, type Job, type Outcome } from '#foundation/jobs/handlers'
import { RETRIES } from '#foundation/jobs/retry'
import type { PayloadOf } from '#foundation/core/jobs/kinds'
import { MINUTE } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import { outcomeOfCall } from '#integrations/outcome_of_call'
import { feature } from '#plugin-kit/capabilities/map'
import type { StoreReview } from '#plugin-kit/capabilities/stores'
import { RecordReviews } from '../actions/record_reviews.js'
import { reviewById } from '../queries/store_reviews.js'
import { appStoreReviews } from '../tables.js'
import { NO_REFUSAL, type ReviewReply } from '../vocabulary.js'
import { replyKind } from '../work_kinds.js'
import { askStore, refusalOf, targetOf, type Refusal } from './ask_store.js'

type ReplyJob = Job<PayloadOf<typeof replyKind>>

/** The result of the call. `unasked`: another reply replaced it, or the store has it already. */
type Result = { review: StoreReview } | Refusal | { unasked: true }

/** Replies to a review in its store. Idempotent. */
export const sendReply = onCommand(replyKind, {
  actor: 'app store',
  onBehalfOf: ({ payload }) => payload.askedBy,
  lease: 2 * MINUTE,
  retry: RETRIES.hours,
  isRepeatable: true,
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  call: (job, context): Promise<Outcome<Result>> =>
    outcomeOfCall(async () => {
      const review = await pendingReview(context.scope, job)
      const target = await targetOf(context.scope, job.payload)
      if (!review || !target) return { unasked: true }
      const { idempotencyKey } = job
      try {
        const answered = await askStore({ payload: target }, context, 'appStore', (store) =>
          feature(store, 'replyToReview')(review.storeRef, review.reply.text, { idempotencyKey })
        )
        return { review: answered }
      } catch (error) {
        const refusal = refusalOf(error)
        if (!refusal) throw error
        return refusal
      }
    }),
  async storeResult(scope, job, result: Result) {
    if ('unasked' in result) return
    if (!('review' in result)) return end(scope, job, { state: 'refused', ...result })
    await end(scope, job, { state: 'sent', ...NO_REFUSAL })
    const target = await targetOf(scope, job.payload)
    if (target) await new RecordReviews(scope).handle(target, [result.review])
  },
  afterLast: (scope, job, reason) =>
    end(scope, job, { state: 'refused', reason: reason.slice(0, 1000), action: null }),
})

/** Returns the review while the reply is pending; null after that. */
async function pendingReview(scope: Scope, { subject, payload: { appId, replyId } }: ReplyJob) {
  const review = await reviewById(scope, appId, subject)
  const reply = review?.reply
  return reply?.id === replyId && reply.state === 'pending' ? { ...review!, reply } : null
}

async function end(
  scope: Scope,
  job: ReplyJob,
  change: Pick<ReviewReply, 'state' | 'reason' | 'action'>
): Promise<void> {
  const review = await pendingReview(scope, job)
  if (!review) return
  const reply = { ...review.reply, ...change, endedAt: scope.now }
  await scope.update(appStoreReviews, { id: review.id }, { reply })
}
