import { newId } from '#foundation/core/ids'
import { InputErrors, type PartiallyValid } from '#foundation/core/problems/input_errors'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { lengthOf } from '#foundation/core/text'
import { recordAudit } from '#organizations/audit'
import { findReview, type ReviewRow } from '../queries/store_reviews.js'
import { storesOf } from '../queries/store_targets.js'
import { appStoreReviews } from '../tables.js'
import type { ReplyInput } from '../validators/store_input.js'
import { MAX_OF_REPLY, NO_REFUSAL, type ReviewReply } from '../vocabulary.js'
import { replyKind } from '../work_kinds.js'

/** Plans the job that replies to a review in its store. */
export class ReplyToReview {
  constructor(private readonly scope: Scope) {}

  /**
   * Adds a fault if the store does not take a reply of this length.
   * @returns the review
   * @throws not_found
   */
  async check(
    appId: string,
    reviewId: string,
    { text }: PartiallyValid<ReplyInput>,
    errors: InputErrors
  ): Promise<ReviewRow> {
    const review = await findReview(this.scope, appId, reviewId)
    const length = lengthOf(text ?? '')
    const most = MAX_OF_REPLY[review.storeType]
    if (length > most) {
      errors.add({
        pointer: '/text',
        code: 'too_long_for_store',
        message: `The reply has ${length} characters, and the store accepts at most ${most}.`,
      })
    }
    return review
  }

  /** @throws not_found, invalid_input; integration_missing if the app no longer has the store */
  async handle(appId: string, reviewId: string, input: ReplyInput): Promise<void> {
    const { scope } = this
    const { text } = input
    const errors = new InputErrors()
    const review = await this.check(appId, reviewId, input, errors)
    errors.throwIfAny()
    const { integrationId, data, reply: before } = review
    const isOnItsWay = before?.state === 'pending'
    if (text === (isOnItsWay ? before.text : data.developerResponse?.body)) return
    const targets = await storesOf(scope, appId)
    if (!targets.some((target) => target.integrationId === integrationId)) {
      throw refuse('integration_missing', {
        detail: `${appId} no longer has the app store that the review was written in.`,
      })
    }
    const reply: ReviewReply = {
      id: newId('reply'),
      text,
      state: 'pending',
      askedAt: scope.now,
      askedBy: scope.actor,
      endedAt: null,
      ...NO_REFUSAL,
    }
    await scope.update(appStoreReviews, { id: reviewId }, { reply })
    await recordAudit(scope, {
      action: 'appStoreReview.answered',
      subject: reviewId,
      data: { appId, text, before: data.developerResponse?.body ?? null },
    })
    // A reply that was begun may have reached the store: the entity key makes the new one wait for
    // it.
    await scope.jobs.cancel(replyKind, reviewId)
    await scope.jobs.command(replyKind, {
      subject: reviewId,
      entityKey: `answers to ${reviewId}`,
      payload: { appId, integrationId, replyId: reply.id, askedBy: scope.actor },
    })
  }
}
