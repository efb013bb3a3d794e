import type { Static } from '@sinclair/typebox'
import type { OwnReleaseStep, ReleaseStepEntity } from '../entities.js'
import type { ShownSteps } from '../extensions.js'
import type { ReleaseRow } from '../queries/read_release.js'
import type { StepRow } from '../queries/step_rows.js'

/** Returns a step as the API shows it, without its data and the members of extensions. */
export function ownStepMembers(
  release: ReleaseRow,
  step: StepRow
): Omit<Static<typeof OwnReleaseStep>, 'data'> {
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
  }
}

/** Returns a step as the API shows it, with its data and the members of extensions. */
export function stepEntity(
  release: ReleaseRow,
  step: StepRow,
  shown: readonly ShownSteps[]
): ReleaseStepEntity {
  return {
    ...ownStepMembers(release, step),
    data: dataOf(release, step, shown),
    ...Object.assign({}, ...shown.map((each) => each.membersOf?.(step))),
  }
}

/** Returns the data of a step; an empty object if no extension has data for its type. */
function dataOf(release: ReleaseRow, step: StepRow, shown: readonly ShownSteps[]) {
  if (step.type === 'kickoff') return { branch: release.releaseBranch, bump: null }
  for (const each of shown) {
    const data = each.dataOf?.(step)
    if (data) return data
  }
  return {}
}
