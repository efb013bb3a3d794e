import type { Scope } from '#foundation/core/scope'
import { storesPort } from '../ports.js'
import { publicReleaseId } from '../names/public_release_id.js'
import type { ReleaseStatus } from '../vocabulary.js'
import { lowest, newest, onTrain } from './version_sql.js'

export interface CurrentRelease {
  currentRelease: { id: string; version: string; status: ReleaseStatus } | null
  /**
   * The highest version that was released to users and is not halted. An imported release counts
   * even if the time of its release is unknown, unless a store shows only lower versions with users:
   * a tag may be of a version that was never released.
   */
  liveVersion: string | null
}

interface Row {
  app_id: string
  version: string
  status: 'active' | 'completed'
  active_place: number
  live_place: number
  /** 0 or 1, as the next one. */
  is_offered: number
  is_imported: number
}

/** Active releases of the train come first, lowest version first. */
const ACTIVE_PLACE = `row_number() over (
  partition by app_id
  order by case when status = 'active' then 0 else 1 end,
    case when ${onTrain('releases')} then 0 else 1 end,
    ${lowest('releases')}
) as active_place`

const OFFERED =
  'case when (released_at is not null or imported = true) and halted_at is null then 1 else 0 end'

/** Among the releases offered to users, the highest version comes first. */
const LIVE_PLACE = `row_number() over (
  partition by app_id
  order by ${OFFERED} desc,
    ${newest('releases')}
) as live_place`

/**
 * Returns, by app, the current release (the lowest active one of the train, or else any active one)
 * and the version that users have. Reads all apps with one query.
 */
export async function currentReleases(
  scope: Scope,
  appIds: readonly string[]
): Promise<Map<string, CurrentRelease>> {
  const ranked = scope
    .table('releases')
    .whereIn('app_id', [...appIds])
    .where((query) =>
      query
        .where('status', 'active')
        .orWhere((one) =>
          one
            .where('status', 'completed')
            .where((out) => out.whereNotNull('released_at').orWhere('imported', true))
        )
    )
    .select('app_id', 'version', 'status')
    .select(scope.client.raw(`${OFFERED} as is_offered`))
    .select(scope.client.raw('case when imported = true then 1 else 0 end as is_imported'))
    .select(scope.client.raw(ACTIVE_PLACE), scope.client.raw(LIVE_PLACE))
    .as('ranked')
  const rows: Row[] = await scope.client
    .from(ranked)
    .where((query) => query.where('active_place', 1).orWhere('live_place', 1))
    .select('*')
  const found = new Map<string, CurrentRelease>()
  const liveByImport: string[] = []
  for (const row of rows) {
    const { app_id: appId, version, status } = row
    const known = found.get(appId) ?? { currentRelease: null, liveVersion: null }
    if (Number(row.active_place) === 1 && status === 'active') {
      known.currentRelease = { id: publicReleaseId({ appId, version }), version, status }
    }
    if (Number(row.live_place) === 1 && Number(row.is_offered) === 1) {
      known.liveVersion = version
      if (Number(row.is_imported) === 1) liveByImport.push(appId)
    }
    found.set(appId, known)
  }
  if (liveByImport.length > 0) {
    const shown = await storesPort.provided.highestReleased(scope, liveByImport)
    for (const [appId, version] of shown) found.get(appId)!.liveVersion = version
  }
  return found
}
