import { earlier } from '#foundation/core/clock'
import { as, of, select } from '#foundation/core/database/statement'
import { real, text } from '#foundation/core/database/table'
import { DAY } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import { newestFirst } from '#releases/queries/version_sql'
import { releases } from '#releases/tables'
import { policiesOf } from '#rollouts/queries/policies'
import { storeFacts } from '#stores/derive/store_facts'
import { versionsOf, desiredOf, type VersionRow } from '#stores/queries/store_state'
import { normalVersion, parseVersion } from '#workflow/version'
import { storesOf } from '#stores/queries/store_targets'

/**
 * Maximum number of versions offered at the same time. Older versions are not offered to any user.
 */
const MAX_VERSIONS = 50

const RELEASED = select(
  of(releases, 'r', ['id', 'version', 'imported']),
  `from releases r where r.organization_id = :org and r.app_id = :appId
    and (r.released_at is not null or r.imported = true) ${newestFirst('r')} limit ${MAX_VERSIONS}`
)
const MEASURED = select(
  { version: as(text(), 's.version'), sum: as(real(), 'sum(p.sum)') },
  `from metric_series s join metric_points p on p.series_id = s.id
  where s.organization_id = :org and s.app_id = :appId and s.name = :name and s.param = ''
    and s.environment = 'production' and p.at >= :from
  group by s.version`
)

/** The shares of users with certain versions of an app, in percent. */
interface Shares {
  /** The share of each store's users who are offered one of the versions. */
  stores: { destinationId: string | null; storeType: string | null; offered: number }[]
  /**
   * The share of the last day's measurements that come from the versions. Null without
   * measurements.
   */
  adopted: number | null
}

/**
 * Returns the share of users who have one of some versions now: as offered by rollouts, and as
 * measured. Users who are not yet offered a newer version get the one below it.
 */
export async function sharesOf(
  scope: Scope,
  appId: string,
  having: ReadonlySet<string>
): Promise<Shares> {
  const released = await scope.rows(RELEASED, { appId })
  const rows = await versionsOf(
    scope,
    released.map(({ id }) => id)
  )
  const byRelease = Map.groupBy(rows, ({ releaseId }) => releaseId)
  const targets = await storesOf(scope, appId)
  const offeredIn = (integrationId: string | null) => {
    let remaining = 100
    let offered = 0
    const isStoreRead = rows.some((row) => row.integrationId === integrationId)
    for (const { id, version, imported } of released) {
      const own = byRelease.get(id) ?? []
      const seen = own.find((row) => row.integrationId === integrationId)
      // If no store reports the version, a person marked it as released to users. A tag alone
      // says nothing about a store that reports others.
      const isMarked = own.length === 0 && !(imported && isStoreRead)
      const percentage = seen ? percentageOf(seen) : isMarked ? 100 : 0
      const taken = (remaining * percentage) / 100
      if (having.has(version)) offered += taken
      remaining -= taken
    }
    return Math.round(offered * 100) / 100
  }
  const stores = targets.map(({ integrationId, destinationId, storeType }) => ({
    ...{ destinationId, storeType },
    offered: offeredIn(integrationId),
  }))
  return {
    stores:
      stores.length > 0
        ? stores
        : [{ destinationId: null, storeType: null, offered: offeredIn(null) }],
    adopted: await adoptedOf(scope, appId, having),
  }
}

/** Returns the share of a store's users who are offered a version, in percent. */
function percentageOf(version: VersionRow): number {
  const { state, percentage } = storeFacts(version, desiredOf(null)).rollout
  return state === null ? 0 : percentage
}

/**
 * Returns the measured share in production, using the total of the rollout guards' metrics: usually
 * sessions.
 */
async function adoptedOf(
  scope: Scope,
  appId: string,
  having: ReadonlySet<string>
): Promise<number | null> {
  const policies = await policiesOf(scope, appId)
  const metrics = policies.flatMap(({ policy }) => policy.guard?.metrics ?? [])
  const [name] = metrics.flatMap((each) => (each.source === 'events' ? each.total : []))
  if (name === undefined) return null
  const from = earlier(scope.now, DAY)
  const measured = await scope.rows(MEASURED, { appId, name, from })
  const normal = new Set([...having].map((each) => normalVersion(parseVersion(each)!)))
  const sumOf = (some: typeof measured) => some.reduce((total, { sum }) => total + sum, 0)
  const all = sumOf(measured)
  if (all <= 0) return null
  const own = sumOf(measured.filter(({ version }) => normal.has(version)))
  return Math.round((own / all) * 10_000) / 100
}
