import type { StoreKind } from '#apps/vocabulary'
import type { ReleaseStepType } from '#workflow/vocabulary'
import type { StepReleaseTypes, WorkflowStep, WorkflowStepGroup } from './settings.js'

/** The default name of a step of each archetype. */
export const STEP_NAMES: Record<ReleaseStepType, string> = {
  kickoff: 'Kickoff',
  featureReadiness: 'Feature readiness',
  translations: 'Translations',
  rollbackBuild: 'Rollback build',
  releaseCandidate: 'Release candidate',
  regressionTesting: 'Regression testing',
  betaTesting: 'Beta testing',
  screenshots: 'Screenshots',
  metadata: 'Metadata',
  approvals: 'Approvals',
  submission: 'App submission',
  storeReview: 'App store review',
  takeoff: 'Release',
  rollout: 'Rollout',
}

const required = { required: true }
const optional = { required: false }

/** Steps that depend on something outside this service are not required until a team says so. */
const EVERYWHERE: StepReleaseTypes = { standard: required, hotfix: required, rollback: required }
const BUILT: StepReleaseTypes = { standard: required, hotfix: required }
const AT_LEISURE: StepReleaseTypes = { standard: optional }
const AT_LEISURE_BUILT: StepReleaseTypes = { standard: optional, hotfix: optional }

const KICKOFF = [step('kickoff', BUILT), step('featureReadiness', AT_LEISURE)]
const STORE_PAGE = [
  step('screenshots', AT_LEISURE),
  step('metadata', { standard: required, hotfix: optional }),
]
const STORE_GATE = [step('submission', EVERYWHERE), step('storeReview', EVERYWHERE)]
const LAUNCH = [
  step('takeoff', EVERYWHERE),
  step('rollout', { standard: optional, hotfix: optional, rollback: optional }),
]
const TESTING = [
  step('regressionTesting', { standard: required, hotfix: optional }),
  step('betaTesting', AT_LEISURE_BUILT),
]

const STORE_WORKFLOW: WorkflowStep[][] = [
  KICKOFF,
  [
    step('translations', AT_LEISURE),
    step('releaseCandidate', BUILT),
    step('rollbackBuild', { rollback: required }),
  ],
  TESTING,
  STORE_PAGE,
  [step('approvals', BUILT)],
  STORE_GATE,
  LAUNCH,
]

const OVER_THE_AIR_WORKFLOW: WorkflowStep[][] = [
  KICKOFF,
  [step('releaseCandidate', BUILT), step('rollbackBuild', { rollback: required })],
  [step('regressionTesting', { standard: required, hotfix: optional })],
  [step('approvals', BUILT)],
  LAUNCH,
]

/** Returns the default workflow of an app whose configuration has none. */
export function standardWorkflow(storeKind: StoreKind): WorkflowStepGroup[] {
  return copy(storeKind === 'ota' ? OVER_THE_AIR_WORKFLOW : STORE_WORKFLOW)
}

/**
 * Returns the steps a further destination adds. Names contain the destination's name to stay
 * unique.
 */
export function destinationWorkflow(storeKind: StoreKind, name: string): WorkflowStepGroup[] {
  const groups = storeKind === 'ota' ? [LAUNCH] : [STORE_PAGE, STORE_GATE, LAUNCH]
  return copy(groups).map((group) => ({
    steps: group.steps.map((each) => ({ ...each, name: `${each.name} (${name})` })),
  }))
}

function step(archetype: ReleaseStepType, releaseTypes: StepReleaseTypes): WorkflowStep {
  return { name: STEP_NAMES[archetype], archetype, releaseTypes }
}

function copy(groups: readonly (readonly WorkflowStep[])[]): WorkflowStepGroup[] {
  return structuredClone(groups).map((steps) => ({ steps: [...steps] }))
}
