import type { StepRow } from '#releases/queries/step_rows'

/** The step that demanded approvals stand on; null if the release has none. */
export function approvalsStep(steps: readonly StepRow[]): StepRow | null {
  const own = steps.filter(({ type }) => type === 'approvals')
  const present = own.filter(({ inWorkflow }) => inWorkflow)
  return [...present, ...own].find(({ required }) => required) ?? present[0] ?? own[0] ?? null
}
