import { letGoOfCiFiles } from '#builds/store_files'
import { selectedBuilds } from '#builds/release_candidate'
import { letGoOfFiles } from '#foundation/core/files/held_files'
import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { lockBuilds } from '../lock_builds.js'
import { filesOf } from '../queries/build_entities.js'
import { distributionBuilds, distributionFiles } from '../tables.js'

const STILL_HAD = select(
  of(distributionBuilds, 'b', ['ciBuildId']),
  `from distribution_builds b where b.organization_id = :org
    and b.ci_build_id in json(:ids) and b.status not in ('expired', 'failed')`
)

/**
 * Ends the time of builds: their records stay, what they took up does not. A CI build that is in
 * no bucket any more, and that no release selected, lets go of its files too.
 */
export async function expireBuilds(
  scope: Scope,
  builds: readonly { id: string; ciBuildId: string | null }[]
): Promise<void> {
  const ids = builds.map(({ id }) => id)
  await lockBuilds(scope, ids)
  const files = await filesOf(scope, ids)
  for (const { id } of builds) {
    await scope.update(distributionBuilds, { id }, { status: 'expired', updatedAt: scope.now })
  }
  const held = files.filter(({ fileId }) => fileId !== null)
  for (const { id } of held) await scope.update(distributionFiles, { id }, { fileId: null })
  await letGoOfFiles(
    scope,
    held.map(({ fileId }) => fileId!)
  )
  const ciBuildIds = [...new Set(builds.flatMap(({ ciBuildId }) => ciBuildId ?? []))]
  if (ciBuildIds.length > 0) await letGoOfUnwanted(scope, ciBuildIds)
}

async function letGoOfUnwanted(scope: Scope, ciBuildIds: readonly string[]): Promise<void> {
  const rows = await scope.rows(STILL_HAD, { ids: JSON.stringify(ciBuildIds) })
  const kept = new Set(rows.map(({ ciBuildId }) => ciBuildId))
  const selected = await selectedBuilds(scope, ciBuildIds)
  const unwanted = ciBuildIds.filter((id) => !kept.has(id) && !selected.has(id))
  await letGoOfCiFiles(scope, unwanted)
}
