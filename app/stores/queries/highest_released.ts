import { as, of, select } from '#foundation/core/database/statement'
import { text } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import { newest } from '#releases/queries/version_sql'
import { appStoreVersions } from '../tables.js'

const HIGHEST = select(
  { ...of(appStoreVersions, 'h', ['appId']), version: as(text(), 'h.version') },
  `from (
    select v.app_id, r.version,
      row_number() over (partition by v.app_id order by ${newest('r')}) as place
    from app_store_versions v
    join releases r on r.organization_id = v.organization_id and r.id = v.release_id
    where v.organization_id = :org and v.app_id in json(:appIds)
      and v.released_at is not null and r.halted_at is null
  ) h where h.place = 1`
)

/**
 * Returns, by app, the highest version that a store has shown with users and that is not halted.
 * Apps without one are left out.
 */
export async function highestReleased(
  scope: Scope,
  appIds: readonly string[]
): Promise<Map<string, string>> {
  const rows = await scope.rows(HIGHEST, { appIds: JSON.stringify(appIds) })
  return new Map(rows.map(({ appId, version }) => [appId, version]))
}
