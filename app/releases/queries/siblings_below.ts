import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import type { Version } from '#workflow/version'
import type { Sibling } from '../engine/release_type.js'
import { releases } from '../tables.js'
import { versionParts } from '../names/version_parts.js'
import { BOUND_VERSION, newestFirst, noRollback, versionOf } from './version_sql.js'

const BELOW = select(
  of(releases, 'r', ['versionMajor', 'versionMinor', 'versionPatch', 'releaseType']),
  `from releases r where r.organization_id = :org and r.app_id = :appId and r.id <> :except
    and ${noRollback('r')} and ${versionOf('r')} < ${BOUND_VERSION}
  ${newestFirst('r')} limit 1`
)

/**
 * Returns the highest release below a version that is not a rollback, as a list of at most one.
 * @param except internal id of a release to leave out, such as the one that has the version
 */
export async function siblingsBelow(
  scope: Scope,
  appId: string,
  version: Version,
  except = ''
): Promise<Sibling[]> {
  const rows = await scope.rows(BELOW, { appId, except, ...version })
  return rows.map((row) => ({ version: versionParts(row), releaseType: row.releaseType }))
}
