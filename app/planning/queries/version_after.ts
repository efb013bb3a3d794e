import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { open } from '#releases/lifecycle/open_releases'
import { BOUND_VERSION, lowestFirst, onTrain, versionOf } from '#releases/queries/version_sql'
import { releases } from '#releases/tables'
import { normalVersion } from '#workflow/version'
import { nextVersion } from '../calendar/schedule.js'

const NEXT = select(
  of(releases, 'r', ['version']),
  `from releases r
  where r.organization_id = :org and r.app_id = :appId and ${onTrain('r')}
    and ${open('r')} and ${versionOf('r')} > ${BOUND_VERSION}
  ${lowestFirst('r')} limit 1`
)

/**
 * Returns the version that is worked on after a release: that of the next open release, or the
 * predicted one.
 */
export async function versionAfter(scope: Scope, release: Release): Promise<string> {
  const { appId, parts, settings, version } = release
  const [next] = await scope.rows(NEXT, { appId, ...parts })
  if (next) return next.version
  const predicted = nextVersion(parts, settings.defaultReleaseType)
  return predicted ? normalVersion(predicted) : version
}
