import type { StepRow } from '#releases/queries/step_rows'

/**
 * Returns the approvals step for demanded approvals: preferably a required one, and among equals
 * one that is still in the workflow. Null if the release has no approvals step.
 */
export function approvalsStep(steps: readonly StepRow[]): StepRow | null {
  const candidates = steps.filter(({ type }) => type === 'approvals')
  const inWorkflow = candidates.filter((step) => step.inWorkflow)
  const preferred = [...inWorkflow, ...candidates]
  return preferred.find(({ required }) => required) ?? preferred[0] ?? null
}
