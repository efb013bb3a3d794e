import { of, select, type RowOfSelect } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { publicReleaseId } from '../names/public_release_id.js'
import { releases } from '../tables.js'
import { newestFirst } from './version_sql.js'

const COLUMNS = of(releases, 'r', ['appId', 'version', 'status', 'phase'])
const SELECT_BY_APP = select(
  COLUMNS,
  `from releases r where r.organization_id = :org and r.app_id = :appId ${newestFirst('r')}`
)

/** A summary of a release. */
export type ReleaseInBrief = RowOfSelect<typeof SELECT_BY_APP> & { publicId: string }

/** Returns every release of an app, the newest version first. */
export async function releasesOfApp(scope: Scope, appId: string): Promise<ReleaseInBrief[]> {
  const rows = await scope.rows(SELECT_BY_APP, { appId })
  return rows.map((row) => ({ ...row, publicId: publicReleaseId(row) }))
}
