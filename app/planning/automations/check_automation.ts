import type { InputErrors, PartiallyValid } from '#foundation/core/problems/input_errors'
import type { SetAutomationInput } from '../validators/planning_input.js'
import { isFollowUp } from '../vocabulary.js'

/** Collects the errors of an automation's settings that the schema cannot express. */
export function checkAutomation(
  { type, releaseId, config }: PartiallyValid<SetAutomationInput>,
  errors: InputErrors
): void {
  if (config?.runAfterFreeze === undefined) return
  const add = (code: string, message: string) =>
    errors.add({ pointer: '/config/runAfterFreeze', code, message })
  if (type !== undefined && isFollowUp(type)) {
    add(
      'scheduled_only',
      'Only automations that run on a target date can wait for the end of a freeze.'
    )
  } else if (releaseId !== undefined) {
    add('app_only', 'Set this for the whole app, not for one release.')
  }
}
