import type { Scope } from '#foundation/core/scope'

/** Keeps whoever reads the artifacts of builds from giving them files meanwhile. */
export async function lockBuilds(scope: Scope, ids: readonly string[]): Promise<void> {
  // In one order everywhere: two that lock the same builds do not wait for each other.
  for (const id of [...ids].sort()) await scope.lock('distribution_builds', id)
}
