import type { Scope } from '#foundation/core/scope'

/**
 * Clears the service's own reason for a pause. A rollout that is stopped now then waits for a
 * person, instead of resuming by itself when that reason ends.
 * @param integrationIds the stores; all stores of the release if absent
 */
export async function leaveToPerson(
  scope: Scope,
  releaseId: string,
  integrationIds?: readonly string[]
): Promise<void> {
  const paused = scope.table('rollouts').where('release_id', releaseId).whereNotNull('paused_for')
  if (integrationIds) paused.whereIn('integration_id', [...integrationIds])
  await paused.update({ paused_for: null })
}
