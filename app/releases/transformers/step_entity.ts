import type { ChecklistItemEntity } from '#checklists/entities'
import type { ReleaseStepData, ReleaseStepEntity } from '../entities.js'
import type { StepRow } from '../queries/load_facts.js'
import type { ReleaseFields } from '../queries/read_release.js'

/** What a step's data is made from. */
export interface StepParts {
  items: readonly ChecklistItemEntity[]
  counts: { total: number; done: number }
}

/** A step of a release as the API shows it. */
export function stepEntity(
  release: ReleaseFields,
  step: StepRow,
  parts: StepParts
): ReleaseStepEntity {
  const required = Boolean(step.required)
  return {
    id: step.id,
    stepConfigId: step.step_config_id,
    releaseId: release.publicId,
    name: step.name,
    type: step.type,
    status: step.status,
    required,
    hidden: !required && release.settings.hideNotRequiredReleaseStepsInTimeline,
    groupIndex: step.group_index,
    position: step.position,
    destinationId: step.destination_id,
    stepRunId: step.run_id,
    statusChangedAt: step.status_changed_at,
    data: stepData(release, step, parts.items),
    checklistItems: parts.counts,
  }
}

/** By the step's type; the outside world's part is empty until its module records it. */
function stepData(
  release: ReleaseFields,
  step: StepRow,
  items: readonly ChecklistItemEntity[]
): ReleaseStepData {
  switch (step.type) {
    case 'kickoff':
      return { branch: release.releaseBranch, bump: null }
    case 'approvals': {
      const approvals = items.filter((item) => item.kind === 'approval')
      return {
        items: approvals,
        approvedCount: approvals.filter((item) => item.status?.type === 'approved').length,
        totalCount: approvals.length,
      }
    }
    case 'regressionTesting':
      return {
        regressionStatus: release.regressionStatus,
        items: items.filter((item) => item.kind === 'regression'),
        testRuns: [],
      }
    case 'featureReadiness':
      return { total: 0, ready: 0, notReady: 0, ignored: 0 }
    case 'submission':
    case 'storeReview':
    case 'takeoff':
    case 'rollout':
      return { appStoreVersion: null, selectedBuild: null }
    default:
      return {}
  }
}
