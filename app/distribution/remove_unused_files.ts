import { selectedBuilds } from '#builds/release_candidate'
import { dereferenceCiFiles } from '#builds/store_files'
import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { distributionBuilds } from './tables.js'

const STILL_IN_BUCKET = select(
  of(distributionBuilds, 'b', ['ciBuildId']),
  `from distribution_builds b where b.organization_id = :org
    and b.ci_build_id in json(:ids) and b.status not in ('expired', 'failed')`
)

/**
 * Removes the files of the CI builds of some builds, unless they are in another bucket or selected
 * for a release.
 * @param builds the builds that were removed or expired
 */
export async function removeUnusedFiles(
  scope: Scope,
  builds: readonly { ciBuildId: string | null }[]
): Promise<void> {
  const ids = [...new Set(builds.flatMap(({ ciBuildId }) => ciBuildId ?? []))]
  if (ids.length === 0) return
  const rows = await scope.rows(STILL_IN_BUCKET, { ids: JSON.stringify(ids) })
  const kept = new Set(rows.map(({ ciBuildId }) => ciBuildId))
  const selected = await selectedBuilds(scope, ids)
  const unwanted = ids.filter((id) => !kept.has(id) && !selected.has(id))
  await dereferenceCiFiles(scope, unwanted)
}
