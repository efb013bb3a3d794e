import type { Scope } from '#foundation/core/scope'

/** Locks builds, so that a reader of their artifacts adds no files to them meanwhile. */
export async function lockBuilds(scope: Scope, ids: readonly string[]): Promise<void> {
  // Locked in a fixed order, so that two transactions cannot deadlock.
  for (const id of [...ids].sort()) await scope.lock('distribution_builds', id)
}
