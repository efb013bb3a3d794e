import type { Scope } from '#foundation/core/scope'

/**
 * What is stopped now is no more paused for a reason of the service, which would let it go on once
 * that is over: it waits for a person.
 * @param integrationIds of which stores; all of the release without
 */
export async function keepPaused(
  scope: Scope,
  releaseId: string,
  integrationIds?: readonly string[]
): Promise<void> {
  const paused = scope.table('rollouts').where('release_id', releaseId).whereNotNull('paused_for')
  if (integrationIds) paused.whereIn('integration_id', [...integrationIds])
  await paused.update({ paused_for: null })
}
