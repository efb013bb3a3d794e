import type { androidpublisher_v3 } from '@googleapis/androidpublisher'
import type { AppStore, Page, StoreReview } from '@tarmac/plugin-kit'
import { refused } from './errors.js'
import type { GooglePlay } from './google.js'

type Review = androidpublisher_v3.Schema$Review
type Timestamp = androidpublisher_v3.Schema$Timestamp

/** The largest page size. */
const PAGE = 100

/** Most characters of a reply. */
const MAX_OF_REPLY = 350

/** Lists reviews: one call per page. Google returns only those of the last week with a text. */
export async function reviewsOf(
  play: GooglePlay,
  filter: Parameters<AppStore['listReviews']>[0],
  cursor?: string
): Promise<Page<StoreReview>> {
  const { packageName } = play
  const { reviews = [], tokenPagination } = await play.call((publisher, options) =>
    publisher.reviews.list(
      { packageName, maxResults: PAGE, ...(cursor === undefined ? {} : { token: cursor }) },
      options
    )
  )
  const { since, minRating = 1, maxRating = 5 } = filter
  const items = reviews
    .flatMap((each) => reviewOf(each) ?? [])
    .filter(({ rating }) => rating >= minRating && rating <= maxRating)
    .filter(({ at }) => since === undefined || at >= new Date(since).toISOString())
  const next = tokenPagination?.nextPageToken
  return { items, ...(next ? { next } : {}) }
}

/** Replies to a review: two calls. @throws ProviderError `invalid` for a reply that is too long */
export async function replyTo(
  play: GooglePlay,
  reviewId: string,
  text: string
): Promise<StoreReview> {
  const length = [...text].length
  if (length > MAX_OF_REPLY) {
    throw refused(
      'invalid',
      `The reply has ${length} characters, and Google Play takes ${MAX_OF_REPLY}.`,
      'textTooLong'
    )
  }
  const { packageName } = play
  const review = reviewOf(
    await play.call((publisher, options) =>
      publisher.reviews.get({ packageName, reviewId }, options)
    )
  )
  if (!review) throw refused('notFound', `There is no review ${reviewId}`, 'reviewUnknown')
  const { result } = await play.call(
    (publisher, options) =>
      publisher.reviews.reply({ packageName, reviewId, requestBody: { replyText: text } }, options),
    // A new reply replaces the earlier one.
    { idempotent: true }
  )
  const { replyText, lastEdited } = result ?? {}
  const at = timeOf(lastEdited)
  const reply = { text: replyText ?? text, state: 'published' as const, ...(at ? { at } : {}) }
  return { ...review, reply }
}

/** Translates a review; null for one without a text. */
function reviewOf({ reviewId, authorName, comments = [] }: Review): StoreReview | null {
  const said = comments.find(({ userComment }) => userComment)?.userComment
  const answered = comments.find(({ developerComment }) => developerComment)?.developerComment
  const at = timeOf(said?.lastModified)
  if (!reviewId || !said || at === null) return null
  // Google puts the title before the text, separated by a tab.
  const [first, ...rest] = (said.text ?? '').trim().split('\t')
  const repliedAt = timeOf(answered?.lastModified)
  return {
    id: reviewId,
    rating: said.starRating ?? 0,
    ...(rest.length > 0 && first !== '' ? { title: first } : {}),
    text: rest.length > 0 ? rest.join('\t') : first,
    at,
    ...(authorName ? { author: authorName } : {}),
    ...(said.reviewerLanguage ? { locale: said.reviewerLanguage } : {}),
    ...(said.appVersionName ? { version: said.appVersionName } : {}),
    ...(said.appVersionCode ? { versionCode: said.appVersionCode } : {}),
    ...(said.device ? { device: said.device } : {}),
    ...(said.androidOsVersion ? { osVersion: String(said.androidOsVersion) } : {}),
    ...(answered?.text
      ? {
          reply: {
            text: answered.text,
            state: 'published' as const,
            ...(repliedAt ? { at: repliedAt } : {}),
          },
        }
      : {}),
  }
}

function timeOf(timestamp: Timestamp | undefined): string | null {
  const { seconds, nanos } = timestamp ?? {}
  if (!seconds) return null
  return new Date(Number(seconds) * 1000 + Math.floor((nanos ?? 0) / 1e6)).toISOString()
}
