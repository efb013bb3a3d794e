import { refuseField } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type { Placement } from './placement.js'

/**
 * Checks that the release of a one-off has the step it is placed on.
 * @param releaseId internal id
 * @throws invalid_input
 */
export async function requireStepIn(
  scope: Scope,
  releaseId: string,
  { stepConfigId, stepType }: Placement
): Promise<void> {
  const step = await scope
    .table('release_steps')
    .where('release_id', releaseId)
    .where(stepConfigId ? { step_config_id: stepConfigId } : { type: stepType })
    .select('id')
    .first()
  if (step) return
  throw refuseField('/releaseId', 'step_not_in_release', 'The release has no such step.')
}
