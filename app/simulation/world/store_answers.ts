import { HOUR } from '#foundation/core/durations'
import {
  reviewsUntil,
  type ReviewReply,
  type TimeOut,
  type UserReview,
} from '#simulated-providers/store_reviews'
import { TEXT_FIELDS, type StoreTexts } from '#simulated-providers/store_texts'
import {
  instantOf,
  instantText,
  noAddress,
  objectsIn,
  paged,
  Refusal,
  textIn,
  type WorldRequest,
} from './http.js'

/*
 * Answers that both stores of a world share.
 */

/** Time until a reply to a review is published. */
const REPLY_DELAY = 4 * HOUR

interface Reviewed {
  seed: string
  now: number
  outs: readonly TimeOut[]
  store: {
    settings: { reviewEveryMs: number | null }
    reviews: readonly UserReview[]
    replies: readonly ReviewReply[]
  }
}

/** Lists reviews of users, or adds a reply to one; `replies` is set if one was added. */
export function respondForReviews(
  { seed, now, outs, store }: Reviewed,
  request: WorldRequest
): { body: object; replies?: readonly ReviewReply[] } {
  const { path, query, isChange } = request
  const [id, action] = path
  const everyMs = store.settings.reviewEveryMs
  const reviews = [...reviewsUntil(seed, outs, { now, everyMs }), ...store.reviews].filter(
    ({ at }) => at <= now
  )
  if (id === undefined && !isChange) {
    const since = instantOf(query, 'since')
    const [min, max] = [query.get('minRating') ?? 1, query.get('maxRating') ?? 5].map(Number)
    const found = reviews.filter(
      ({ rating, at }) => rating >= min && rating <= max && (since === null || at >= since)
    )
    return { body: paged(found, query, (each) => shownReview(each, store.replies, now)) }
  }
  const review = reviews.find((each) => each.id === id)
  if (!review) throw new Refusal(404, 'There is no such review', 'reviewUnknown')
  if (action !== 'reply' || !isChange) throw noAddress()
  const others = store.replies.filter(({ reviewId }) => reviewId !== id)
  const replies = [...others, { reviewId: review.id, text: textIn(request, 'text'), at: now }]
  return { body: shownReview(review, replies, now), replies }
}

function shownReview({ at, ...review }: UserReview, replies: readonly ReviewReply[], now: number) {
  const reply = replies.find(({ reviewId }) => reviewId === review.id)
  const state = reply && now < reply.at + REPLY_DELAY ? 'PENDING_PUBLISH' : 'PUBLISHED'
  return {
    ...review,
    at: instantText(at),
    reply: reply ? { text: reply.text, state, at: instantText(reply.at) } : null,
  }
}

/** Reads texts by locale. @throws Refusal for a missing locale */
export function textsOfVersion(items: readonly Record<string, unknown>[]): StoreTexts[] {
  return items.map(({ locale, ...texts }) => {
    if (typeof locale !== 'string' || locale === '') throw new Refusal(422, 'A locale is missing')
    const fields = TEXT_FIELDS.flatMap((field) =>
      typeof texts[field] === 'string' ? [[field, texts[field]]] : []
    )
    return { locale, ...Object.fromEntries(fields) }
  })
}

/** Reads notes for testers. @throws Refusal for a malformed one */
export function notesIn(request: WorldRequest): { locale: string; text: string }[] {
  return objectsIn(request, 'notes').map(({ locale, text }) => {
    if (typeof locale === 'string' && typeof text === 'string') return { locale, text }
    throw new Refusal(422, 'A note has a locale and a text')
  })
}
