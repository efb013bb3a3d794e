import { chunked } from '#foundation/core/chunked'
import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { releaseCommits } from '../tables.js'

/** One more than a poll handles, to show whether any remain. */
const MAX_COMMITS = 2001

// Excludes merges: a comma separates the parents of a merge.
const PATCHLESS = select(
  of(releaseCommits, 'c', ['hash']),
  `from release_commits c where c.organization_id = :org and c.release_id = :releaseId
    and c.side = 'working' and c.patch_id is null and c.parents not like '%,%'
  order by c.place desc limit ${MAX_COMMITS}`
)

const PATCHLESS_OF = select(
  of(releaseCommits, 'c', ['hash']),
  `from release_commits c where c.organization_id = :org and c.release_id = :releaseId
    and c.side = 'release' and c.patch_id is null and c.hash in json(:hashes)`
)

/**
 * Returns the hashes of commits without a patch id that are on the working branch but not in the
 * release (by internal id), newest first.
 */
export const patchlessCommits = async (scope: Scope, releaseId: string): Promise<string[]> =>
  (await scope.rows(PATCHLESS, { releaseId })).map(({ hash }) => hash)

/**
 * Returns which of the given commits are in a release (by internal id) and have no patch id yet.
 */
export async function patchlessAmong(
  scope: Scope,
  releaseId: string,
  hashes: readonly string[]
): Promise<Set<string>> {
  const found = new Set<string>()
  for (const batch of chunked(hashes)) {
    const rows = await scope.rows(PATCHLESS_OF, { releaseId, hashes: JSON.stringify(batch) })
    for (const { hash } of rows) found.add(hash)
  }
  return found
}
