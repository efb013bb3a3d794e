import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { ciBuilds } from '../tables.js'

const BUILT = select(
  of(ciBuilds, 'b', ['commitHash', 'commitMessage', 'commitAuthor', 'commitUrl']),
  `from ci_builds b where b.organization_id = :org and b.app_id = :appId
    and b.commit_hash in json(:hashes) and b.commit_message is not null
  order by b.created_at, b.id`
)

/** Returns the CI builds of an app's commits, by full hash; commits without a build are missing. */
export async function builtCommits(scope: Scope, appId: string, hashes: readonly string[]) {
  if (hashes.length === 0) return new Map<string, never>()
  const rows = await scope.rows(BUILT, { appId, hashes: JSON.stringify(hashes) })
  return new Map(rows.map((row) => [row.commitHash, row]))
}
