import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { storesOf } from '#stores/queries/store_targets'
import type { Day } from '../guard/design_effect.js'
import { DAYS_OF_TRAFFIC } from '../guard/reach.js'
import type { KnownTraffic } from '../policy/check_policy.js'
import { rollouts, type RolloutRow } from '../tables.js'

/** Number of rollouts, over all stores, to take traffic from. */
const MAX_ROLLOUTS = 20

const LATEST = select(
  of(rollouts, 'o', ['integrationId', 'samples']),
  `from rollouts o where o.organization_id = :org and o.app_id = :appId
  order by o.started_at desc limit ${MAX_ROLLOUTS}`
)

/**
 * Returns the traffic of an app in each store, by destination id (null for the first), as its
 * latest rollouts measured it. Days of several versions are combined until there are enough.
 */
export async function trafficOfStores(
  scope: Scope,
  appId: string
): Promise<ReadonlyMap<string | null, KnownTraffic>> {
  const rows = await scope.rows(LATEST, { appId })
  const stores = await storesOf(scope, appId)
  return new Map(
    stores.map(({ destinationId, integrationId }) => {
      const own = rows.filter((row) => row.integrationId === integrationId)
      return [destinationId, trafficOf(own)]
    })
  )
}

/** @param rows rollouts of one store, the newest first */
function trafficOf(rows: readonly Pick<RolloutRow, 'samples'>[]): KnownTraffic {
  const known = new Map<string, readonly Day[]>()
  for (const { samples } of rows) {
    const found = new Map(samples.map(({ meaning, days = [] }) => [meaning, days]))
    for (const [meaning, days] of found) {
      const later = known.get(meaning) ?? []
      if (later.length < DAYS_OF_TRAFFIC) known.set(meaning, [...days, ...later])
    }
  }
  return known
}
