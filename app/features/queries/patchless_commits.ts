import { chunked } from '#foundation/core/chunked'
import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { releaseCommits } from '../tables.js'

/** More than one poll asks about, to know whether others remain. */
const MAX_COMMITS = 2001

// Without merges: the parents of a merge are separated by a comma.
const PATCHLESS = select(
  of(releaseCommits, 'c', ['hash']),
  `from release_commits c where c.organization_id = :org and c.release_id = :releaseId
    and c.side = 'working' and c.patch_id is null and c.parents not like '%,%'
  order by c.place desc limit ${MAX_COMMITS}`
)

const PATCHLESS_AMONG = select(
  of(releaseCommits, 'c', ['hash']),
  `from release_commits c where c.organization_id = :org and c.release_id = :releaseId
    and c.side = 'release' and c.patch_id is null and c.hash in json(:hashes)`
)

/**
 * Returns the hashes of commits that only the working branch has, not the release (by internal id),
 * and whose patch ids are not known yet; newest first.
 */
export const patchlessCommits = async (scope: Scope, releaseId: string): Promise<string[]> =>
  (await scope.rows(PATCHLESS, { releaseId })).map(({ hash }) => hash)

/**
 * Returns those of the given commits that a release (by internal id) contains and whose patch ids
 * are not known yet.
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
