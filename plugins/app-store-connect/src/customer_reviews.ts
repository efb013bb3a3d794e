import type { AppStore, Page, StoreReview } from '@tarmac/plugin-kit'
import { includedOf, PAGE, type AppStoreConnect } from './api.js'
import type { Apple } from './operations.js'

type Filter = Parameters<AppStore['listReviews']>[0]

const RATINGS = [1, 2, 3, 4, 5]

/** Lists reviews of users, newest first, in pages of 200: one call. */
export async function listReviews(
  api: AppStoreConnect,
  { since, minRating = 1, maxRating = 5 }: Filter,
  cursor?: string
): Promise<Page<StoreReview>> {
  const ratings = RATINGS.filter((each) => each >= minRating && each <= maxRating)
  if (ratings.length === 0) return { items: [] }
  const appId = await api.appId()
  const answer = await api.read(
    '/v1/apps/{id}/customerReviews',
    appId,
    {
      ...(ratings.length === RATINGS.length ? {} : { 'filter[rating]': ratings.map(String) }),
      sort: ['-createdDate'],
      include: ['response'],
      limit: PAGE,
    },
    cursor
  )
  const responses = includedOf(answer, 'customerReviewResponses') as Map<
    string,
    Apple.CustomerReviewResponseV1
  >
  const all = answer.data.map((each) =>
    reviewOf(each, responses.get(each.relationships?.response?.data?.id ?? ''))
  )
  const from = since === undefined ? -Infinity : Date.parse(since)
  const items = all.filter((each) => Date.parse(each.at) >= from)
  // Once a page has older reviews, all further pages are older, too.
  return { items, ...(items.length < all.length ? {} : api.nextOf(answer)) }
}

/** Replies to a review, replacing an earlier reply: two calls. */
export async function replyToReview(
  api: AppStoreConnect,
  reviewId: string,
  text: string
): Promise<StoreReview> {
  const { data: review } = await api.read('/v1/customerReviews/{id}', reviewId, {})
  const { data: response } = await api.change(
    'POST /v1/customerReviewResponses',
    null,
    {
      data: {
        type: 'customerReviewResponses',
        attributes: { responseBody: text },
        relationships: { review: { data: { type: 'customerReviews', id: reviewId } } },
      },
    },
    { isRepeatable: true }
  )
  return reviewOf(review, response)
}

function reviewOf(
  { id, attributes = {} }: Apple.CustomerReview,
  response: Apple.CustomerReviewResponseV1 | undefined
): StoreReview {
  const {
    rating = 0,
    title,
    body = '',
    reviewerNickname: author,
    createdDate,
    territory,
  } = attributes
  const reported = response?.attributes
  return {
    id,
    rating,
    ...(title ? { title } : {}),
    text: body,
    ...(author ? { author } : {}),
    at: createdDate ?? new Date(0).toISOString(),
    ...(territory ? { territory } : {}),
    ...(reported
      ? {
          reply: {
            text: reported.responseBody ?? '',
            state: reported.state === 'PUBLISHED' ? 'published' : 'pending',
            ...(reported.lastModifiedDate ? { at: reported.lastModifiedDate } : {}),
          },
        }
      : {}),
  }
}
