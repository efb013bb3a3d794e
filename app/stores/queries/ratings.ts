import type { Instant } from '#foundation/core/clock'
import { as, of, select } from '#foundation/core/database/statement'
import { integer } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import { appStoreReviews } from '../tables.js'

const RATINGS = select(
  {
    ...of(appStoreReviews, 'r', ['appId']),
    sum: as(integer(), 'cast(sum(r.rating) as integer)'),
    count: as(integer(), 'count(*)'),
  },
  `from app_store_reviews r
  where r.organization_id = :org and r.app_id in json(:appIds)
    and r.written_at >= :from and r.written_at < :to
  group by r.app_id`
)

/** The ratings of the reviews of an app: their sum and their number. */
export interface Ratings {
  appId: string
  sum: number
  count: number
}

/** Returns the ratings of reviews written from an instant up to, but not including, another. */
export function ratingsOf(
  scope: Scope,
  appIds: readonly string[],
  { from, to }: { from: Instant; to: Instant }
): Promise<Ratings[]> {
  return scope.rows(RATINGS, { appIds: JSON.stringify(appIds), from, to })
}
