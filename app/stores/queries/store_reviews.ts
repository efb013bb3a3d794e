import type { Static } from '@sinclair/typebox'
import { destinations } from '#apps/tables'
import { STORE_NAMES } from '#apps/vocabulary'
import type { PageRequest } from '#foundation/api/pages'
import type { Instant } from '#foundation/core/clock'
import { as, of, select, variants } from '#foundation/core/database/statement'
import { integer, optional, text, type RowOf } from '#foundation/core/database/table'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { shownAsked } from '../asked_members.js'
import { issuesOf, type ReviewIssue } from '../derive/review_issues.js'
import type { AppStoreReviewEntity, AppStoreReviewsEntity } from '../reviews/review_entities.js'
import { appStoreReviews } from '../tables.js'
import { sentimentOf } from '../vocabulary.js'

/** The filters for reviews of an app. */
interface ReviewFilters {
  version?: string
  rating?: number
  locale?: string
  from?: Instant
  to?: Instant
}

const CONDITIONS: Record<keyof ReviewFilters, string> = {
  version: 'and r.version = :version',
  rating: 'and r.rating = :rating',
  locale: 'and r.locale = :locale',
  from: 'and r.written_at >= :from',
  to: 'and r.written_at < :to',
}

const FROM = `from app_store_reviews r
  left join destinations d on d.id = r.destination_id
  where r.organization_id = :org and r.app_id = :appId`
const reviewsWith = variants(
  select(
    {
      ...of(appStoreReviews, 'r'),
      destinationName: as(optional(destinations.columns.name), 'd.name'),
    },
    FROM
  ),
  ''
)
const termsWith = variants(
  select(of(appStoreReviews, 'r', ['id', 'writtenAt', 'terms']), FROM),
  'order by r.written_at desc, r.id desc limit 2000'
)
const countsWith = variants(
  select({ rating: as(integer(), 'r.rating'), number: as(integer(), 'count(*)') }, FROM),
  'group by r.rating'
)
const LAST = select(
  { at: as(optional(text()), 'max(r.written_at)') },
  `from app_store_reviews r
  where r.organization_id = :org and r.integration_id = :integrationId`
)

const BY_ID = select(
  {
    ...of(appStoreReviews, 'r'),
    destinationName: as(optional(destinations.columns.name), 'd.name'),
  },
  `${FROM} and r.id = :reviewId`
)

export type ReviewRow = RowOf<typeof appStoreReviews> & { destinationName: string | null }

export const reviewKeys = ({ writtenAt, id }: ReviewRow) => [writtenAt, id]

/** Returns the time of a store's newest known review; null without any. */
export async function lastReviewAt(scope: Scope, integrationId: string): Promise<Instant | null> {
  const [last] = await scope.rows(LAST, { integrationId })
  return last?.at ?? null
}

/** Returns a review of an app; null if there is none. */
export async function reviewById(
  scope: Scope,
  appId: string,
  reviewId: string
): Promise<ReviewRow | null> {
  const [review = null] = await scope.rows(BY_ID, { appId, reviewId })
  return review
}

/** Finds a review of an app. @throws not_found */
export async function findReview(
  scope: Scope,
  appId: string,
  reviewId: string
): Promise<ReviewRow> {
  const review = await reviewById(scope, appId, reviewId)
  if (!review) throw refuse('not_found')
  return review
}

function conditionsOf(
  filters: ReviewFilters
): [conditions: string[], bindings: Record<string, string | number>] {
  const names = Object.keys(CONDITIONS) as (keyof ReviewFilters)[]
  const given = names.filter((name) => filters[name] !== undefined)
  return [
    given.map((name) => CONDITIONS[name]),
    Object.fromEntries(given.map((name) => [name, filters[name]!])),
  ]
}

/** Returns a page of the reviews of an app, newest first. */
export function listReviews(
  scope: Scope,
  appId: string,
  filters: ReviewFilters,
  { limit, after }: PageRequest
): Promise<ReviewRow[]> {
  const [conditions, bindings] = conditionsOf(filters)
  if (after) {
    conditions.push('and (r.written_at, r.id) < (:lastWrittenAt, :lastId)')
    ;[bindings.lastWrittenAt, bindings.lastId] = after
  }
  conditions.push('order by r.written_at desc, r.id desc limit :limit')
  return scope.rows(reviewsWith(conditions.join(' ')), { ...bindings, appId, limit })
}

type Summary = AppStoreReviewsEntity['summary']

/** Summarizes all reviews that match the filters. */
export async function reviewSummary(
  scope: Scope,
  appId: string,
  filters: ReviewFilters
): Promise<Summary> {
  const [conditions, bindings] = conditionsOf(filters)
  const rows = await scope.rows(countsWith(conditions.join(' ')), { ...bindings, appId })
  const byRating: Summary['byRating'] = { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 }
  let [ratingCount, sum] = [0, 0]
  for (const { rating, number } of rows) {
    byRating[rating as keyof Summary['byRating']] = Number(number)
    ratingCount += Number(number)
    sum += rating * Number(number)
  }
  const averageRating = ratingCount === 0 ? null : Math.round((sum / ratingCount) * 100) / 100
  return { averageRating, ratingCount, byRating }
}

/** Returns the issues that reviews of at most three stars share. */
export async function reviewIssues(
  scope: Scope,
  appId: string,
  filters: ReviewFilters
): Promise<ReviewIssue[]> {
  const [conditions, bindings] = conditionsOf(filters)
  const complaints = termsWith([...conditions, 'and r.rating <= 3'].join(' '))
  return issuesOf(await scope.rows(complaints, { ...bindings, appId }), filters.to ?? scope.now)
}

/** Returns a review as the API shows it. */
export function reviewEntity(
  row: ReviewRow,
  issues: readonly ReviewIssue[]
): Static<typeof AppStoreReviewEntity> {
  const { id, storeType } = row
  return {
    id,
    rating: row.rating,
    title: row.title,
    body: row.body,
    author: row.author,
    locale: row.locale,
    territory: row.territory,
    version: row.version,
    createdAt: row.writtenAt,
    destination: {
      id: row.destinationId,
      name: row.destinationName ?? STORE_NAMES[storeType],
      storeType,
    },
    data: row.data,
    reply: row.reply && { text: row.reply.text, ...shownAsked(row.reply) },
    sentiment: sentimentOf(row.rating),
    issueIds: issues.filter(({ reviewIds }) => reviewIds.has(id)).map((issue) => issue.id),
  }
}
