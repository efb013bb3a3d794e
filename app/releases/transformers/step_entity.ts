import type { ReleaseStepEntity } from '../entities.js'
import type { ShownSteps } from '../parts.js'
import type { ReleaseRow } from '../queries/read_release.js'
import type { StepRow } from '../queries/step_rows.js'

/** A step of a release as the API shows it, with what parts add to it. */
export function stepEntity(
  release: ReleaseRow,
  step: StepRow,
  shown: readonly ShownSteps[]
): ReleaseStepEntity {
  return {
    id: step.id,
    stepConfigId: step.stepConfigId,
    releaseId: release.publicId,
    name: step.name,
    type: step.type,
    status: step.status,
    required: step.required,
    hidden: !step.required && release.settings.hideNotRequiredReleaseStepsInTimeline,
    groupIndex: step.groupIndex,
    position: step.position,
    destinationId: step.destinationId,
    stepRunId: step.runId,
    statusChangedAt: step.statusChangedAt,
    data: dataOf(release, step, shown),
    ...Object.assign({}, ...shown.map((each) => each.membersOf?.(step))),
  }
}

/** By the step's type: a type that no part speaks for has an empty object. */
function dataOf(release: ReleaseRow, step: StepRow, shown: readonly ShownSteps[]) {
  if (step.type === 'kickoff') return { branch: release.releaseBranch, bump: null }
  for (const each of shown) {
    const data = each.dataOf?.(step)
    if (data) return data
  }
  return {}
}
