import { onCommand, type Entry, type Outcome } from '#foundation/agenda/handlers'
import { RETRIES } from '#foundation/agenda/retry'
import type { PayloadOf } from '#foundation/core/agenda/kinds'
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

type Asked = Entry<PayloadOf<typeof replyKind>>

/** `unasked`: another answer took its place, or the store has it already. */
type Came = { review: StoreReview } | Refusal | { unasked: true }

/** Answers a review in its store; the same answer again changes nothing there. */
export const sendReply = onCommand(replyKind, {
  actor: 'app store',
  onBehalfOf: ({ payload }) => payload.askedBy,
  lease: 2 * MINUTE,
  retry: RETRIES.hours,
  isRepeatable: true,
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  call: (entry, context): Promise<Outcome<Came>> =>
    outcomeOfCall(async () => {
      const review = await pendingReview(context.scope, entry)
      const target = await targetOf(context.scope, entry.payload)
      if (!review || !target) return { unasked: true }
      const { idempotencyKey } = entry
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
  async answer(scope, entry, came: Came) {
    if ('unasked' in came) return
    if (!('review' in came)) return end(scope, entry, { state: 'refused', ...came })
    await end(scope, entry, { state: 'sent', ...NO_REFUSAL })
    const target = await targetOf(scope, entry.payload)
    if (target) await new RecordReviews(scope).handle(target, [came.review])
  },
  afterLast: (scope, entry, reason) =>
    end(scope, entry, { state: 'refused', reason: reason.slice(0, 1000), action: null }),
})

/** The review, while the answer that is asked for is to be sent. */
async function pendingReview(scope: Scope, { subject, payload: { appId, replyId } }: Asked) {
  const review = await reviewById(scope, appId, subject)
  const reply = review?.reply
  return reply?.id === replyId && reply.state === 'pending' ? { ...review!, reply } : null
}

async function end(
  scope: Scope,
  entry: Asked,
  how: Pick<ReviewReply, 'state' | 'reason' | 'action'>
): Promise<void> {
  const review = await pendingReview(scope, entry)
  if (!review) return
  const reply = { ...review.reply, ...how, endedAt: scope.now }
  await scope.update(appStoreReviews, { id: review.id }, { reply })
}
