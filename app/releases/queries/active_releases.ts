import { of, select, type RowOfSelect } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { publicReleaseId } from '../names/public_release_id.js'
import { releases } from '../tables.js'
import { lowestFirst } from './version_sql.js'

const ACTIVE = select(
  of(releases, 'r', ['appId', 'version', 'releaseType', 'phase']),
  `from releases r where r.organization_id = :org and r.app_id in json(:appIds)
    and r.status = 'active' ${lowestFirst('r')}`
)

/** A summary of an active release. */
type ActiveRelease = Omit<RowOfSelect<typeof ACTIVE>, 'appId'> & { id: string }

/** Returns the active releases by app id, the lowest version first. */
export async function activeReleases(
  scope: Scope,
  appIds: readonly string[]
): Promise<Map<string, ActiveRelease[]>> {
  const active = new Map<string, ActiveRelease[]>()
  for (const { appId, ...row } of await scope.rows(ACTIVE, { appIds: JSON.stringify(appIds) })) {
    const own = active.get(appId) ?? []
    own.push({ ...row, id: publicReleaseId({ appId, version: row.version }) })
    active.set(appId, own)
  }
  return active
}
