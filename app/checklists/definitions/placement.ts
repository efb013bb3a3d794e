import type StepConfig from '#apps/models/step_config'
import { refuseField } from '#foundation/core/problems/problem'
import type { ReleaseStepType } from '#workflow/vocabulary'
import type { ItemKind } from '#releases/vocabulary'

/** The step an item is on: a certain step of the workflow, or the first step of a type. */
export interface Placement {
  stepConfigId: string | null
  stepType: ReleaseStepType | null
}

/** The step that a request names. */
export interface PlacementInput {
  stepConfigId?: string | null
  stepType?: ReleaseStepType | null
}

const IMPLIED_STEP: Partial<Record<ItemKind, ReleaseStepType>> = {
  approval: 'approvals',
  regression: 'regressionTesting',
}

/** Returns the step type that items of a kind belong to; null if the request has to name it. */
export function impliedStepType(kind: ItemKind): ReleaseStepType | null {
  return IMPLIED_STEP[kind] ?? null
}

/**
 * Determines the step of an item from its kind and the request.
 * @param steps the workflow of the app.
 * @param at JSON pointer of the object that names the step.
 * @throws invalid_input when no step, a step of another app, or one of the wrong type is named.
 */
export function resolvePlacement(
  steps: readonly StepConfig[],
  kind: ItemKind,
  input: PlacementInput,
  at = ''
): Placement {
  const implied = impliedStepType(kind)
  const stepType = input.stepType ?? implied
  if (implied && stepType !== implied) {
    throw refuseField(
      `${at}/stepType`,
      'step_mismatch',
      `An item of kind ${kind} belongs to a step of type ${implied}.`
    )
  }
  if (input.stepConfigId) {
    const step = steps.find(({ id }) => id === input.stepConfigId)
    if (!step) {
      throw refuseField(`${at}/stepConfigId`, 'unknown_step', 'The app has no step with this id.')
    }
    if (stepType && step.type !== stepType) {
      throw refuseField(
        `${at}/stepConfigId`,
        'step_mismatch',
        `This step is of type ${step.type}, not ${stepType}.`
      )
    }
    return { stepConfigId: step.id, stepType: null }
  }
  if (!stepType) {
    throw refuseField(`${at}/stepType`, 'required', 'Name the step by stepType or stepConfigId.')
  }
  if (!steps.some(({ type }) => type === stepType)) {
    throw refuseField(
      `${at}/stepType`,
      'unknown_step',
      `The workflow of the app has no step of type ${stepType}.`
    )
  }
  return { stepConfigId: null, stepType }
}
