import type { Scope } from '#foundation/core/scope'

/**
 * Clears the service's own reason for a pause, so that a rollout which is stopped now does not
 * resume by itself when that reason ends: it waits for a person.
 * @param integrationIds the stores; all stores of the release when absent
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
