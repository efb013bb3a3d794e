import {
  exampleMetadata,
  exampleRegressionRun,
  exampleStep,
  exampleSteps,
  exampleTimeline,
  exampleWhyNotMoving,
} from '../examples.js'
import { actions, operation, read } from '#foundation/api/operation/declaration'
import { lazyController } from '#foundation/api/operation/lazy_controller'
import { pageOf, list } from '#foundation/core/schemas'
import { EvidenceEntity } from '../evidence/evidence_entity.js'
import { exampleEvidence } from '../evidence/examples.js'
import { ReleaseRetrospective } from '../retrospective/entity.js'
import { exampleRetrospective } from '../retrospective/example.js'
import { CustomMetadata } from '../texts/custom_metadata.js'
import { PublicTimelineEvent, ReleaseStepEntity, StepRunEntity } from '../entities.js'
import { WhyNotMovingEntity } from '../schemas/why_not_moving_entity.js'
import {
  listStepsValidator,
  timelineValidator,
  updateMetadataValidator,
  whatIfValidator,
} from '../validators/release_input.js'
import { oneStep } from '#foundation/api/operation/steps'

const views = lazyController(
  async () =>
    new (await import('../controllers/release_views_controller.js')).ReleaseViewsController()
)

export const operations = [
  operation({
    id: 'getReleaseMetadata',
    method: 'GET',
    path: '/app/{appId}/release/{releaseId}/metadata',
    tag: 'Release',
    summary: 'Get custom metadata',
    description: 'Returns the custom metadata of the release, which may be empty.',
    access: read,
    isOfStored: true,
    responses: {
      200: { description: 'The entries.', schema: CustomMetadata, example: exampleMetadata },
    },
    handle: (call) => views.metadata(call),
  }),
  operation({
    id: 'updateReleaseMetadata',
    steps: oneStep('can be changed back'),
    method: 'PUT',
    path: '/app/{appId}/release/{releaseId}/metadata',
    tag: 'Release',
    summary: 'Update custom metadata',
    description: 'Replaces all custom metadata. A null value deletes its key.',
    access: actions('EditRelease'),
    body: {
      kind: 'json',
      name: 'UpdateCustomMetadataRequestBody',
      description: 'The complete new metadata.',
      like: CustomMetadata,
      validator: updateMetadataValidator,
      example: exampleMetadata,
    },
    responses: {
      200: { description: 'The entries.', schema: CustomMetadata, example: exampleMetadata },
    },
    precondition: { of: 'getReleaseMetadata' },
    check: (call, errors) => views.checkMetadata(call, errors),
    handle: (call) => views.setMetadata(call),
  }),
  operation({
    id: 'listReleaseSteps',
    method: 'GET',
    path: '/app/{appId}/release/{releaseId}/steps',
    tag: 'Release',
    summary: 'List release steps',
    description: 'Returns the steps in workflow order.',
    access: read,
    isOfStored: true,
    query: listStepsValidator,
    responses: {
      200: {
        description: 'The steps.',
        schema: list('The steps.', ReleaseStepEntity, 10_000),
        example: exampleSteps,
      },
    },
    handle: (call) => views.steps(call),
  }),
  operation({
    id: 'getReleaseStep',
    method: 'GET',
    path: '/app/{appId}/release/{releaseId}/step/{stepId}',
    tag: 'Release',
    summary: 'Get release step details',
    description: 'Returns one step with its type-specific data.',
    access: read,
    isOfStored: true,
    responses: {
      200: {
        description: 'The step.',
        schema: ReleaseStepEntity,
        example: () => exampleStep('regressionTesting'),
      },
    },
    handle: (call) => views.step(call),
  }),
  operation({
    id: 'getStepRun',
    method: 'GET',
    path: '/app/{appId}/release/{releaseId}/stepRun/{stepRunId}',
    tag: 'Release',
    summary: 'Get step run details',
    description: 'Returns one attempt at a step, current or past.',
    access: read,
    responses: {
      200: { description: 'The run.', schema: StepRunEntity, example: exampleRegressionRun },
    },
    handle: (call) => views.run(call),
  }),
  operation({
    id: 'getStepRunOfConfig',
    method: 'GET',
    path: '/app/{appId}/stepConfig/{stepConfigId}/release/{releaseId}/stepRun',
    tag: 'Release',
    summary: 'Get step run by step config and release',
    description: 'Returns the current attempt at a workflow step.',
    access: read,
    responses: {
      200: { description: 'The run.', schema: StepRunEntity, example: exampleRegressionRun },
    },
    handle: (call) => views.runOfConfig(call),
  }),
  operation({
    id: 'listTimelineEvents',
    method: 'GET',
    path: '/app/{appId}/release/{releaseId}/timelineEvents',
    tag: 'Release',
    summary: 'Get timeline events for a release',
    description: 'Returns a page of the timeline, newest entry first.',
    access: read,
    query: timelineValidator,
    responses: {
      200: {
        description: 'A page of entries.',
        schema: pageOf(PublicTimelineEvent),
        example: exampleTimeline,
      },
    },
    handle: (call) => views.timeline(call),
  }),
  operation({
    id: 'listStepTimelineEvents',
    method: 'GET',
    path: '/app/{appId}/release/{releaseId}/stepConfig/{stepConfigId}/timelineEvents',
    tag: 'Release',
    summary: 'Get timeline events for a step config',
    description: 'Returns a page of the timeline of one step, newest entry first.',
    access: read,
    query: timelineValidator,
    responses: {
      200: {
        description: 'A page of entries.',
        schema: pageOf(PublicTimelineEvent),
        example: exampleTimeline,
      },
    },
    handle: (call) => views.timeline(call),
  }),
  operation({
    id: 'getReleaseEvidence',
    method: 'GET',
    path: '/app/{appId}/release/{releaseId}/evidence',
    tag: 'Release',
    summary: 'Get the evidence of a release',
    description:
      'Returns one file for auditors: the timeline with its hash chain, approvals with the approved content, builds with digests, fixes and the status in stores. Its last member is a signed digest of all preceding bytes; `node bin/verify_evidence.js <file>` verifies it using only the file. The same state yields the same bytes.',
    beyond: true,
    access: read,
    responses: {
      200: {
        description: 'The file.',
        schema: EvidenceEntity,
        example: exampleEvidence,
      },
    },
    handle: (call) => views.evidence(call),
  }),
  operation({
    id: 'getReleaseRetrospective',
    method: 'GET',
    path: '/app/{appId}/release/{releaseId}/retrospective',
    tag: 'Release',
    summary: 'Get the retrospective of a release',
    description:
      'Returns the hours waited for each step, and for whom, from kickoff to completion, with the median of the last five completed releases of its kind; null until the release is completed.',
    beyond: true,
    access: read,
    responses: {
      200: {
        description: 'The retrospective.',
        schema: ReleaseRetrospective,
        example: { retrospective: exampleRetrospective },
      },
    },
    handle: (call) => views.retrospective(call),
  }),
  operation({
    id: 'whyNotMoving',
    method: 'GET',
    path: '/app/{appId}/release/{releaseId}/whyNotMoving',
    tag: 'Release',
    summary: 'Ask why a release is not moving',
    description:
      'Returns the unmet conditions of each step, who can meet each, and what the service does next and when. `ifItem=<id>:<status>` (repeatable) assumes a change.',
    beyond: true,
    access: read,
    query: whatIfValidator,
    responses: {
      200: {
        description: 'The reasons.',
        schema: WhyNotMovingEntity,
        example: exampleWhyNotMoving,
      },
    },
    handle: (call) => views.explain(call),
  }),
]
