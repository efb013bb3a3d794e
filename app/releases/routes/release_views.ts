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
    description: 'The custom metadata of the release; an empty set where none was set.',
    access: read,
    isOfStored: true,
    answers: {
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
    description: 'Replaces the whole set. A null value deletes its key.',
    access: actions('EditRelease'),
    body: {
      kind: 'json',
      name: 'UpdateCustomMetadataRequestBody',
      description: 'The whole set, as it is to be.',
      like: CustomMetadata,
      validator: updateMetadataValidator,
      example: exampleMetadata,
    },
    answers: {
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
    description: 'The steps in the order of the workflow.',
    access: read,
    isOfStored: true,
    query: listStepsValidator,
    answers: {
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
    description: 'One step with the data of its type.',
    access: read,
    isOfStored: true,
    answers: {
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
    description: 'One attempt at a step, present or past.',
    access: read,
    answers: {
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
    description: 'The current attempt at a step of the workflow.',
    access: read,
    answers: {
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
    description: 'A page of everything that happened to the release, newest first.',
    access: read,
    query: timelineValidator,
    answers: {
      200: {
        description: 'A page of events.',
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
    description: 'A page of what happened to one step of the release, newest first.',
    access: read,
    query: timelineValidator,
    answers: {
      200: {
        description: 'A page of events.',
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
    summary: 'Get what there is to prove of a release',
    description:
      'One file for an auditor: the timeline with its hash chain, approvals with what they were bound to, builds with digests, fixes and what stores have. Its last member is a signed digest of all bytes before; `node bin/verify_evidence.js <file>` proves it with nothing but the file. The same state gives the same bytes.',
    beyond: true,
    access: read,
    answers: {
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
    summary: 'Get what a release waited for',
    description:
      'Hours per step and for whom, from kickoff to completion, beside the median of the last five completed releases of its kind; null until the release is completed.',
    beyond: true,
    access: read,
    answers: {
      200: {
        description: 'What it waited for.',
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
      'Per step the unmet conditions and who can meet each, and what the service does next and when. `ifItem=<id>:<status>` (repeatable) answers for a change not made.',
    beyond: true,
    access: read,
    query: whatIfValidator,
    answers: {
      200: {
        description: 'The reasons.',
        schema: WhyNotMovingEntity,
        example: exampleWhyNotMoving,
      },
    },
    handle: (call) => views.explain(call),
  }),
]
