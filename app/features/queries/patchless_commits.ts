import { chunked } from '#foundation/core/chunked'
import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { releaseCommits } from '../tables.js'

/** The most that are counted: more than one poll asks about, to know that more are left. */
const MOST = 2001

// Commits of one parent have no comma in theirs.
const PATCHLESS = select(
  of(releaseCommits, 'c', ['hash']),
  `from release_commits c where c.organization_id = :org and c.release_id = :releaseId
    and c.side = 'working' and c.patch_id is null and c.parents not like '%,%'
  order by c.place desc limit ${MOST}`
)

const PATCHLESS_AMONG = select(
  of(releaseCommits, 'c', ['hash']),
  `from release_commits c where c.organization_id = :org and c.release_id = :releaseId
    and c.side = 'release' and c.patch_id is null and c.hash in json(:hashes)`
)

/**
 * Hashes of the commits that the working branch has beside a release, by its internal id, and whose
 * changes are not known yet; newest first.
 */
export const patchlessCommits = async (scope: Scope, releaseId: string): Promise<string[]> =>
  (await scope.rows(PATCHLESS, { releaseId })).map(({ hash }) => hash)

/**
 * Those of some commits that a release, by its internal id, has and whose changes are not known
 * yet.
 */
export async function patchlessAmong(
  scope: Scope,
  releaseId: string,
  hashes: readonly string[]
): Promise<Set<string>> {
  const found = new Set<string>()
  for (const some of chunked(hashes)) {
    const rows = await scope.rows(PATCHLESS_AMONG, { releaseId, hashes: JSON.stringify(some) })
    for (const { hash } of rows) found.add(hash)
  }
  return found
}
