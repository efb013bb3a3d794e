import { actions, operation, read } from '#foundation/api/operation/declaration'
import { pageOf } from '#foundation/core/schemas'
import { ReleasesController } from '../controllers/releases_controller.js'
import { Release, ReleaseEntity } from '../entities.js'
import { SETTLING_EVENTS } from '../events.js'
import {
  createReleaseValidator,
  listReleasesValidator,
  skipValidator,
  updateReleaseValidator,
} from '../validators/release_input.js'

const releases = new ReleasesController()
const precondition = { of: 'getRelease' }

/** What follows when a release that is not kicked off becomes one of another type. */
const RETYPING_EVENTS = ['releaseStep.statusChanged', 'release.regressionStatusUpdated']

export const operations = [
  operation({
    id: 'listReleases',
    method: 'GET',
    path: '/v2/app/{appId}/releases',
    tag: 'Release',
    summary: 'List releases',
    description: "A page of the app's releases, newest version first.",
    access: read,
    query: listReleasesValidator,
    answers: { 200: { description: 'A page of releases.', schema: pageOf(ReleaseEntity) } },
    handle: (call) => releases.index(call),
  }),
  operation({
    id: 'createRelease',
    method: 'POST',
    path: '/app/{appId}/release',
    tag: 'Release',
    summary: 'Create a release',
    description:
      'Drafts a release with its copy of the workflow. A plain release needs CreateDeleteRelease, a hotfix or rollback CreateHotfix. Without a pilot the next one of the rotation is taken.',
    access: actions('CreateDeleteRelease', 'CreateHotfix'),
    body: {
      kind: 'json',
      name: 'CreateReleaseRequestBody',
      validator: createReleaseValidator,
      example: {
        version: '1.4.0',
        releaseName: 'Winter',
        targetKickoffAt: '2026-12-01T09:00:00.000Z',
      },
    },
    answers: { 201: { description: 'The release.', schema: ReleaseEntity } },
    events: ['release.created', ...RETYPING_EVENTS],
    handle: (call) => releases.store(call),
  }),
  operation({
    id: 'getRelease',
    method: 'GET',
    path: '/v2/app/{appId}/releases/{releaseId}',
    tag: 'Release',
    summary: 'Get release details',
    description: 'The release with its steps in the order of the workflow.',
    access: read,
    answers: { 200: { description: 'The release.', schema: Release } },
    handle: (call) => releases.show(call),
  }),
  operation({
    id: 'updateRelease',
    method: 'PUT',
    path: '/app/{appId}/release/{releaseId}',
    tag: 'Release',
    summary: 'Update a release',
    description:
      'Changes what is given; null clears. Target dates need UpdateReleaseTargetDates, the rest EditRelease. A change of version gives the release another id: the old one answers 308.',
    access: actions('EditRelease', 'UpdateReleaseTargetDates'),
    body: {
      kind: 'json',
      name: 'BaseReleaseUpdateRequestBody',
      validator: updateReleaseValidator,
      example: { releaseDescription: 'The winter release', releasePilotId: 'ada@acme.example' },
    },
    answers: { 200: { description: 'The release.', schema: ReleaseEntity } },
    events: [
      'release.targetDateUpdated',
      'release.pilotChanged',
      'checklistItem.statusChanged',
      ...RETYPING_EVENTS,
    ],
    precondition,
    handle: (call) => releases.update(call),
  }),
  operation({
    id: 'deleteRelease',
    method: 'DELETE',
    path: '/app/{appId}/release/{releaseId}',
    tag: 'Release',
    summary: 'Delete a release',
    description: 'Removes a planned record. Refused once it was submitted or completed.',
    access: actions('CreateDeleteRelease'),
    answers: { 204: { description: 'It is gone.' } },
    events: RETYPING_EVENTS,
    precondition,
    handle: (call) => releases.destroy(call),
  }),
  operation({
    id: 'skipRelease',
    method: 'PUT',
    path: '/app/{appId}/release/{releaseId}/skip',
    tag: 'Release',
    summary: 'Skip a release',
    description: 'For a version that never shipped. The next upcoming release becomes active.',
    access: actions('CreateDeleteRelease'),
    body: {
      kind: 'json',
      name: 'SkipReleaseRequestBody',
      validator: skipValidator,
      example: { reason: 'Folded into 1.5.0' },
      optional: true,
    },
    answers: { 200: { description: 'The release.', schema: ReleaseEntity } },
    precondition,
    handle: (call) => releases.skip(call),
  }),
  operation({
    id: 'unskipRelease',
    method: 'PUT',
    path: '/app/{appId}/release/{releaseId}/unskip',
    tag: 'Release',
    summary: 'Un-skip a release',
    description:
      'The release stands where it stood; unfinished steps begin a new run, and keep their items and store texts.',
    access: actions('CreateDeleteRelease'),
    answers: { 200: { description: 'The release.', schema: ReleaseEntity } },
    events: ['checklistItem.statusChanged', ...SETTLING_EVENTS],
    precondition,
    handle: (call) => releases.unskip(call),
  }),
  operation({
    id: 'kickOffRelease',
    method: 'PUT',
    path: '/app/{appId}/release/{releaseId}/kickoff',
    tag: 'Release',
    summary: 'Kick off a release now',
    description:
      'Records that the release is kicked off and makes it active. Repeating it changes nothing.',
    beyond: true,
    access: actions('CreateBranchPromoteCode'),
    answers: { 200: { description: 'The release.', schema: ReleaseEntity } },
    events: ['release.kickedOff', ...SETTLING_EVENTS],
    precondition,
    handle: (call) => releases.kickOff(call),
  }),
  operation({
    id: 'completeRelease',
    method: 'PUT',
    path: '/app/{appId}/release/{releaseId}/complete',
    tag: 'Release',
    summary: 'Complete a release',
    description: 'For a release with no automatic signal. The next upcoming one becomes active.',
    beyond: true,
    access: actions('CreateDeleteRelease'),
    answers: { 200: { description: 'The release.', schema: ReleaseEntity } },
    precondition,
    handle: (call) => releases.complete(call),
  }),
]
