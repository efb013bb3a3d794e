import { list } from '#foundation/core/schemas'
import {
  exampleApprovedRun,
  exampleApprovedStep,
  exampleMetadataRun,
  exampleRegressionRun,
  exampleRelease,
} from '../examples.js'
import { actions, operation } from '#foundation/api/operation/declaration'
import { lazyController } from '#foundation/api/operation/lazy_controller'
import { SETTLING_EVENTS } from '../events.js'
import { ReleaseEntity, ReleaseStepEntity, StepRunEntity } from '../entities.js'
import {
  updateApprovalValidator,
  updateRegressionStatusValidator,
  updateStepMetadataValidator,
} from '../validators/step_input.js'
import { oneStep } from '#foundation/api/operation/steps'

const decisions = lazyController(
  async () =>
    new (await import('../controllers/step_decisions_controller.js')).StepDecisionsController()
)

const regressionBody = {
  kind: 'json',
  name: 'UpdateRegressionStatusRequestBody',
  description: 'Result of regression testing.',
  validator: updateRegressionStatusValidator,
  example: { status: 'passed', comment: 'Two known issues, both minor.' },
} as const

const approvalBody = {
  kind: 'json',
  name: 'UpdateReleaseStepApprovalRequestBody',
  description: 'The approval, or its withdrawal.',
  validator: updateApprovalValidator,
  example: { approved: true },
} as const

const run = (example: StepRunEntity) => ({
  200: { description: 'The run.', schema: StepRunEntity, example },
})

/** Events that the approval of a step may cause. It may be the last thing a release waits for. */
const APPROVAL_EVENTS = [
  'releaseStep.statusChanged',
  'release.stepsReadyToSubmit',
  'release.stepsReadyToRelease',
]

export const operations = [
  operation({
    id: 'updateReleaseRegressionStatus',
    steps: oneStep('can be set again'),
    method: 'PUT',
    path: '/app/{appId}/release/{releaseId}/regressionStatus',
    tag: 'Release',
    summary: 'Update regression testing status of a release',
    description: 'Sets the status of every regression step manually, overriding the items.',
    access: actions('UpdateRegressionTesting'),
    body: regressionBody,
    responses: {
      200: {
        description: 'The release.',
        schema: ReleaseEntity,
        example: () => exampleRelease('tested'),
      },
    },
    events: SETTLING_EVENTS,
    precondition: { of: 'getRelease' },
    handle: (call) => decisions.regressionOfRelease(call),
  }),
  operation({
    id: 'updateStepRunRegressionStatus',
    steps: oneStep('can be set again'),
    method: 'PUT',
    path: '/app/{appId}/release/{releaseId}/step/{stepRunId}/regressionStatus',
    tag: 'Release',
    summary: 'Update regression step status',
    description:
      'Sets the status of one regression run manually. The path takes the run id after `step`.',
    access: actions('UpdateRegressionTesting'),
    body: regressionBody,
    responses: run(exampleRegressionRun),
    events: SETTLING_EVENTS,
    precondition: { of: 'getStepRun' },
    handle: (call) => decisions.regressionOfRun(call),
  }),
  operation({
    id: 'updateStepRunApproval',
    steps: oneStep('an approval can be withdrawn'),
    method: 'PUT',
    path: '/app/{appId}/release/{releaseId}/stepRun/{stepRunId}/approval',
    tag: 'Release',
    summary: 'Update step run approval',
    description:
      'Approves a run of a screenshots, metadata or approvals step, or withdraws the approval.',
    access: actions('ApproveScreenshotsMetadata'),
    body: approvalBody,
    responses: run(exampleApprovedRun),
    events: APPROVAL_EVENTS,
    precondition: { of: 'getStepRun' },
    handle: (call) => decisions.approvalOfRun(call),
  }),
  operation({
    id: 'updateStepTypeApproval',
    steps: oneStep('an approval can be withdrawn'),
    method: 'PUT',
    path: '/app/{appId}/release/{releaseId}/approval/{stepType}',
    tag: 'Release',
    summary: 'Update metadata or screenshots approval status',
    description:
      'Approves all metadata or all screenshots steps of the release, or withdraws the approval.',
    access: actions('ApproveScreenshotsMetadata'),
    body: approvalBody,
    responses: {
      200: {
        description: 'The steps of the type.',
        schema: list('The steps of the type.', ReleaseStepEntity, 10_000),
        example: () => [exampleApprovedStep()],
      },
    },
    events: APPROVAL_EVENTS,
    handle: (call) => decisions.approvalOfType(call),
  }),
  operation({
    id: 'updateStepRunMetadata',
    steps: oneStep('texts can be changed back until they are submitted'),
    method: 'PUT',
    path: '/app/{appId}/release/{releaseId}/stepRun/{stepRunId}/metadata',
    tag: 'Release',
    summary: 'Update app store metadata for a metadata step run',
    description:
      'Adds or changes store texts by locale; an absent text is unchanged, null removes it. A change resets the approval and withdraws approvals given for other texts.',
    access: actions('ApproveScreenshotsMetadata'),
    body: {
      kind: 'json',
      name: 'UpdateMetadataRequestBody',
      description: 'Store texts by locale.',
      validator: updateStepMetadataValidator,
      example: {
        localizations: [
          { locale: 'en-US', whatsNew: 'Log in with a passkey. The app starts faster.' },
        ],
      },
    },
    responses: run(exampleMetadataRun),
    events: ['checklistItem.statusChanged', 'releaseStep.statusChanged'],
    precondition: { of: 'getStepRun' },
    check: (call, errors) => decisions.checkMetadataOfRun(call, errors),
    handle: (call) => decisions.metadataOfRun(call),
  }),
]
