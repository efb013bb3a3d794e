import { instantOf, type Instant } from '#foundation/core/clock'
import { newId } from '#foundation/core/ids'
import { of, select } from '#foundation/core/database/statement'
import type { RowOf } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import { yieldToOthers } from '#foundation/core/yielding'
import type { StoreReview } from '#plugin-kit/capabilities/stores'
import type { StoreTarget } from '../queries/store_targets.js'
import { appStoreReviews } from '../tables.js'
import { NO_REFUSAL, type ReviewData, type ReviewReply } from '../vocabulary.js'

const KNOWN = select(
  of(appStoreReviews, 'r'),
  `from app_store_reviews r where r.organization_id = :org and r.integration_id = :integrationId
    and r.store_ref in json(:refs)`
)

let knownTermsOf: typeof import('../reviews/review_terms.js').termsOf | undefined

/** Records reviews of a store, and updates those that were edited there. */
export class RecordReviews {
  constructor(private readonly scope: Scope) {}

  /** @returns how many are new or differ */
  async handle(target: StoreTarget, reported: readonly StoreReview[]): Promise<number> {
    const { scope } = this
    const reviews = [
      ...new Map(reported.map((review) => [review.id.slice(0, 200), review])).entries(),
    ]
    if (reviews.length === 0) return 0
    // Loaded by the first review: most processes of a service never see one.
    const termsOf = (knownTermsOf ??= (await import('../reviews/review_terms.js')).termsOf)
    const { integrationId, appId, destinationId, storeType } = target
    const refs = JSON.stringify(reviews.map(([ref]) => ref))
    const rows = await scope.rows(KNOWN, { integrationId, refs })
    const known = new Map(rows.map((row) => [row.storeRef, row]))
    const added = []
    let changes = 0
    for (const [storeRef, review] of reviews) {
      await yieldToOthers()
      const before = known.get(storeRef)
      const content = contentOf(review, scope.now, before ?? null)
      if (!before) {
        const terms = termsOf(`${content.title ?? ''} ${content.body}`, content.locale)
        const own = {
          id: newId('review'),
          appId,
          integrationId,
          destinationId,
          storeType,
          storeRef,
        }
        added.push({ ...own, ...content, terms, seenAt: scope.now })
        continue
      }
      // A late report is older than what is known of the review.
      if (content.writtenAt < before.writtenAt || isSame(before, content)) continue
      const terms = termsOf(`${content.title ?? ''} ${content.body}`, content.locale)
      await scope.update(
        appStoreReviews,
        { id: before.id },
        { ...content, terms, seenAt: scope.now }
      )
      changes += 1
    }
    await scope.insert(appStoreReviews, added)
    return added.length + changes
  }
}

type Content = ReturnType<typeof contentOf>

function isSame(before: Content, content: Content): boolean {
  return (Object.keys(content) as (keyof Content)[]).every(
    (name) => JSON.stringify(before[name]) === JSON.stringify(content[name])
  )
}

type Before = Pick<RowOf<typeof appStoreReviews>, 'data' | 'reply'>

function contentOf(review: StoreReview, now: string, before: Before | null) {
  const { rating, title, text, author, locale, territory, version, reply } = review
  return {
    rating: Math.min(5, Math.max(1, Math.round(rating))),
    title: title?.slice(0, 1000) ?? null,
    body: text.slice(0, 20_000),
    author: author?.slice(0, 200) ?? '',
    locale: locale?.slice(0, 35) || 'und',
    territory: territory?.slice(0, 16) || null,
    version: version?.slice(0, 64) || null,
    data: {
      device: review.device?.slice(0, 200) ?? null,
      osVersion: review.osVersion?.slice(0, 64) ?? null,
      androidVersionCode: review.versionCode ?? null,
      developerResponse: responseOf(reply, now, before?.data.developerResponse ?? null),
    },
    reply: before?.reply ? replyAfter(before.reply, reply) : null,
    writtenAt: instantOf(review.at) ?? now,
  }
}

type ShownReply = StoreReview['reply']
type Response = ReviewData['developerResponse']

function responseOf(shown: ShownReply, now: Instant, known: Response): Response {
  if (!shown) return null
  const body = shown.text.slice(0, 10_000)
  const at = instantOf(shown.at)
  // A late report is older than what is known of the answer.
  if (known && at !== null && at < known.at) return known
  return { body, at: at ?? (known?.body === body ? known.at : now), state: shown.state }
}

/** The state in the store overrides an answer that was requested here. */
function replyAfter(reply: ReviewReply, shown: ShownReply): ReviewReply | null {
  if (!shown) return reply
  if (shown.text.trim() === reply.text) {
    if (reply.state === 'sent') return reply
    return { ...reply, state: 'sent', endedAt: instantOf(shown.at) ?? reply.askedAt, ...NO_REFUSAL }
  }
  const at = instantOf(shown.at)
  const isLater = reply.state === 'sent' && at !== null && at > (reply.endedAt ?? reply.askedAt)
  return isLater ? null : reply
}
