import { isCountedOn } from '#builds/release_candidate'
import { earlier, later, type Instant } from '#foundation/core/clock'
import { as, of, select } from '#foundation/core/database/statement'
import { optional, text } from '#foundation/core/database/table'
import { DAY } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import type Bucket from '../models/bucket.js'
import { distributionBuilds } from '../tables.js'

/** The interval between checks for builds that only a release keeps, in milliseconds. */
const RECHECK = DAY

const HELD = `from distribution_builds b
  where b.organization_id = :org and b.bucket_id = :bucketId and b.status = 'active'`
/** Builds before their own end: only these are counted, and one of them is the newest. */
const LASTING = `${HELD} and (b.expires_at is null or b.expires_at > :now)`
/** Builds that a release does not need. */
const UNSELECTED = `not ${isCountedOn('b.ci_build_id')}`

/** Builds that are too old or too many, except the newest; a release may still need them. */
const BEYOND = `(b.id <> :newest
  and (b.created_at <= :made or (b.created_at, b.id) < (:keptSince, :keptId)))`

const NTH = select(
  of(distributionBuilds, 'b', ['id', 'createdAt']),
  `${LASTING} order by b.created_at desc, b.id desc limit 1 offset :before`
)
const DUE = select(
  of(distributionBuilds, 'b', ['id', 'ciBuildId']),
  `${HELD} and (b.expires_at <= :now or (${BEYOND} and ${UNSELECTED}))
  order by b.created_at, b.id limit :limit`
)
const NEXT = select(
  {
    ends: as(optional(text()), `(select min(b.expires_at) ${HELD} and b.expires_at is not null)`),
    made: as(
      optional(text()),
      `(select min(b.created_at) ${LASTING} and b.created_at > :made and b.id <> :newest)`
    ),
    beyond: as(optional(text()), `(select b.id ${LASTING} and ${BEYOND} limit 1)`),
  },
  'from buckets k where k.organization_id = :org and k.id = :bucketId'
)

/** Returns the present bounds of a bucket's retention, for the statements. */
async function bounds(scope: Scope, bucket: Bucket) {
  const { now } = scope
  const bucketId = bucket.id
  const { maxAgeDays = null, maxBuilds = null } = bucket.retention?.enabled ? bucket.retention : {}
  const [newest] = await scope.rows(NTH, { bucketId, now, before: 0 })
  const [kept] =
    maxBuilds === null ? [] : await scope.rows(NTH, { bucketId, now, before: maxBuilds - 1 })
  // An empty text is before all instants, so that bound does not apply.
  return {
    bucketId,
    now,
    newest: newest?.id ?? '',
    made: maxAgeDays === null ? '' : earlier(now, maxAgeDays * DAY),
    keptSince: kept?.createdAt ?? '',
    keptId: kept?.id ?? '',
  }
}

/**
 * Returns the builds of a bucket that are due to expire, oldest first: those past their own end, and
 * those that are too old or too many. The newest build, and builds that a release selected, are
 * never too old or too many.
 */
export async function dueBuilds(scope: Scope, bucket: Bucket, limit: number) {
  return scope.rows(DUE, { ...(await bounds(scope, bucket)), limit })
}

/** Returns when builds of a bucket may next expire; null if none will by time alone. */
export async function nextExpiry(scope: Scope, bucket: Bucket): Promise<Instant | null> {
  const { now } = scope
  const bound = await bounds(scope, bucket)
  if ((await scope.rows(DUE, { ...bound, limit: 1 })).length > 0) return now
  const [next] = await scope.rows(NEXT, bound)
  const age = bucket.retention?.enabled ? bucket.retention.maxAgeDays : null
  const instants = [
    next.ends,
    age !== null && next.made !== null ? later(next.made, age * DAY) : null,
    // A build selected by a release is kept only while it is selected.
    next.beyond === null ? null : later(now, RECHECK),
  ].filter((each) => each !== null)
  return instants.sort()[0] ?? null
}
