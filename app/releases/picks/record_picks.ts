import type { Scope } from '#foundation/core/scope'
import type Release from '../models/release.js'
import type { CherryPick } from '../tables.js'
import { storePicks } from './cherry_picks.js'

/** Stores the progress of cherry-picks. */
export async function recordPicks(
  scope: Scope,
  release: Release,
  commits: readonly string[],
  change: Partial<CherryPick>
): Promise<void> {
  storePicks(release, commits, change)
  release.updatedAt = scope.now
  await release.useTransaction(scope.transaction).save()
  scope.touch(release)
}
