import type { Scope } from '#foundation/core/scope'
import type Release from '../models/release.js'
import type { CherryPick } from '../tables.js'
import { keepPicks } from './cherry_picks.js'

/** Stores how far a pick is, and derives the release anew. */
export async function recordPick(
  scope: Scope,
  release: Release,
  commit: string,
  change: Partial<CherryPick>
): Promise<void> {
  keepPicks(release, [commit], change)
  release.updatedAt = scope.now
  await release.useTransaction(scope.transaction).save()
  scope.touch(release)
}
