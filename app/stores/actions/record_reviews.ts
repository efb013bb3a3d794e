import { newId } from '#foundation/core/ids'
import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { yieldToOthers } from '#foundation/core/yielding'
import type { StoreReview } from '#plugin-kit/capabilities/stores'
import type { StoreTarget } from '../queries/store_targets.js'
import { appStoreReviews } from '../tables.js'
import type { ReviewData } from '../vocabulary.js'

const KNOWN = select(
  of(appStoreReviews, 'r'),
  `from app_store_reviews r where r.organization_id = :org and r.integration_id = :integrationId
    and r.store_ref in json(:refs)`
)

let knownTermsOf: typeof import('../reviews/review_terms.js').termsOf | undefined

/** Takes in reviews of a store; one that was changed there since is changed here. */
export class RecordReviews {
  constructor(private readonly scope: Scope) {}

  /** @returns how many are new or differ */
  async handle(target: StoreTarget, told: readonly StoreReview[]): Promise<number> {
    const { scope } = this
    const reviews = [...new Map(told.map((review) => [review.id.slice(0, 200), review])).entries()]
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
      const content = contentOf(review, scope.now, before?.data ?? null)
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

function contentOf(review: StoreReview, now: string, before: ReviewData | null) {
  const { rating, title, text, author, locale, territory, version, reply } = review
  const writtenAt = Date.parse(review.at)
  const answer = reply?.text.slice(0, 10_000)
  const known = before?.developerResponse
  const repliedAt = reply?.at === undefined ? Number.NaN : Date.parse(reply.at)
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
      developerResponse:
        answer === undefined
          ? null
          : {
              body: answer,
              at: Number.isNaN(repliedAt)
                ? known?.body === answer
                  ? known.at
                  : now
                : new Date(repliedAt).toISOString(),
            },
    },
    writtenAt: Number.isNaN(writtenAt) ? now : new Date(writtenAt).toISOString(),
  }
}
