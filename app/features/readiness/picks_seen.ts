import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { storePicks, openPicks } from '#releases/picks/cherry_picks'
import { releaseFeaturesOf } from '../queries/release_features.js'
import { releaseCommits } from '../tables.js'

/**
 * The commit of the release branch that is the named one, names it as its origin, or has the same
 * author and message.
 */
const HAVING = select(
  of(releaseCommits, 'c', ['hash']),
  `from release_commits c where c.organization_id = :org and c.release_id = :releaseId
    and c.side = 'release' and (c.hash like :named or c.origin like :named or c.text_key in (
      select w.text_key from release_commits w where w.organization_id = :org
        and w.release_id = :releaseId and w.side = 'working' and w.hash like :named))
  order by c.place desc limit 1`
)

/**
 * Marks failed cherry-picks as done that somebody brought to the release branch by hand.
 * @returns whether there are any
 */
export async function takePicks(scope: Scope, release: Release): Promise<boolean> {
  const failed = openPicks(release).filter(({ status }) => status === 'failed')
  if (failed.length === 0) return false
  // Before its branch is observed, the range of the release is that of the working branch.
  const range = (await releaseFeaturesOf(scope, release.id))?.releaseRange
  if (!range || range.headName !== release.releaseBranch) return false
  let hasSeen = false
  for (const { commit } of failed) {
    const bindings = { releaseId: release.id, named: `${commit.toLowerCase()}%` }
    const [found] = await scope.rows(HAVING, bindings)
    if (!found) continue
    storePicks(release, [commit], { status: 'picked', failure: null, pickedAs: found.hash })
    hasSeen = true
  }
  return hasSeen
}
