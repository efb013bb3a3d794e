import { ADA, GRACE } from '#organizations/examples'
import {
  VERSION,
  exampleRelease,
  exampleDraftedDetail,
  exampleReleaseDetail,
  exampleReleasePage,
  exampleSkippedRelease,
} from '../examples.js'
import { actions, operation, read } from '#foundation/api/operation/declaration'
import { lazyController } from '#foundation/api/operation/lazy_controller'
import { pageOf } from '#foundation/core/schemas'
import { MAX_OPEN_RELEASES } from '#workflow/bounds'
import { Release, ReleaseEntity, WarnedReleaseEntity } from '../entities.js'
import { FALLING_EVENTS, SETTLING_EVENTS } from '../events.js'
import {
  completeValidator,
  createReleaseValidator,
  listReleasesValidator,
  skipValidator,
  updateReleaseValidator,
} from '../validators/release_input.js'
import {
  mentions,
  says,
  twoSteps,
  twoStepsIf,
  type SentBody,
} from '#foundation/api/operation/steps'

const hasDate = (body: SentBody) =>
  says(body, 'targetKickoffAt', 'targetSubmitAt', 'targetReleaseAt')
const isSet = (value: unknown) => (value ?? false) !== false
const touchesCode = ({ createBranch, bumpVersion, cherryPickCommits }: SentBody) =>
  isSet(createBranch) || isSet(bumpVersion) || isSet(cherryPickCommits)
const changesWhatFollows = (body: SentBody) =>
  hasDate(body) || mentions(body, 'version', 'releaseType', 'releaseName')
const actsByItself = (body: SentBody) => hasDate(body) || touchesCode(body)

const releases = lazyController(
  async () => new (await import('../controllers/releases_controller.js')).ReleasesController()
)
const precondition = { of: 'getRelease' }

/** Events that a changed type of a release may cause before its kickoff. */
const RETYPING_EVENTS = ['releaseStep.statusChanged', 'release.regressionStatusUpdated']

export const operations = [
  operation({
    id: 'listReleases',
    method: 'GET',
    path: '/v2/app/{appId}/releases',
    tag: 'Release',
    summary: 'List releases',
    description:
      "Returns a page of the app's releases, newest version first. Custom metadata is omitted unless requested with `include=customMetadata`. A page with more than 4 MiB of it ends early: follow `nextCursor`.",
    access: read,
    isOfStored: true,
    query: listReleasesValidator,
    responses: {
      200: {
        description: 'A page of releases.',
        schema: pageOf(ReleaseEntity),
        example: exampleReleasePage,
      },
    },
    handle: (call) => releases.index(call),
  }),
  operation({
    id: 'createRelease',
    callsOthers: true,
    steps: twoStepsIf(
      actsByItself,
      'with a date, a branch, a bump or picks',
      'a date arms automations, and code is touched; a bare draft is one'
    ),
    method: 'POST',
    path: '/app/{appId}/release',
    tag: 'Release',
    summary: 'Create a release',
    description: `Drafts a release with its own copy of the workflow. A plain release needs CreateDeleteRelease, a hotfix or rollback CreateHotfix. An app has at most ${MAX_OPEN_RELEASES} open releases (\`too_many_open_releases\`). Without a pilot, the next one in the rotation is assigned. The response equals that of GET at its \`Location\`, so its \`ETag\` serves as \`If-Match\` for the next write.`,
    access: actions('CreateDeleteRelease', 'CreateHotfix'),
    body: {
      kind: 'json',
      name: 'CreateReleaseRequestBody',
      description: 'The release to draft; only `version` is required.',
      like: ReleaseEntity,
      validator: createReleaseValidator,
      example: {
        version: VERSION,
        releaseName: 'Winter',
        releaseDescription: 'Passkeys, and a faster start.',
        releasePilotId: GRACE.email,
        targetKickoffAt: '2026-11-16T09:00:00.000Z',
        targetSubmitAt: '2026-11-19T08:30:00.000Z',
        targetReleaseAt: '2026-11-24T09:00:00.000Z',
        customMetadata: { entries: [{ key: 'qaLead', value: GRACE.name }] },
      },
    },
    responses: {
      201: {
        description: 'The release, as getRelease returns it.',
        schema: Release,
        example: exampleDraftedDetail,
      },
    },
    events: ['release.created', ...RETYPING_EVENTS],
    check: (call, errors) => releases.checkStore(call, errors),
    handle: (call) => releases.store(call),
  }),
  operation({
    id: 'getRelease',
    method: 'GET',
    path: '/v2/app/{appId}/releases/{releaseId}',
    tag: 'Release',
    summary: 'Get release details',
    description: 'Returns the release with its steps in workflow order.',
    access: read,
    isOfStored: true,
    responses: {
      200: { description: 'The release.', schema: Release, example: exampleReleaseDetail },
    },
    handle: (call) => releases.show(call),
  }),
  operation({
    id: 'updateRelease',
    callsOthers: true,
    steps: twoStepsIf(
      changesWhatFollows,
      'for dates, version, kind and name',
      'a date arms automations, and version, kind and name say what is cut and shipped; all else can be changed back'
    ),
    method: 'PUT',
    path: '/app/{appId}/release/{releaseId}',
    tag: 'Release',
    summary: 'Update a release',
    description:
      'Changes the given fields; null clears a field. Target dates need UpdateReleaseTargetDates, other fields EditRelease. Changing the version changes the id of the release; the old id answers 308.',
    access: actions('EditRelease', 'UpdateReleaseTargetDates'),
    body: {
      kind: 'json',
      name: 'BaseReleaseUpdateRequestBody',
      description: 'Fields to change; absent fields stay, null clears.',
      like: ReleaseEntity,
      validator: updateReleaseValidator,
      example: { releasePilotId: ADA.email, targetReleaseAt: '2026-11-23T09:00:00.000Z' },
    },
    responses: {
      200: {
        description: 'The release.',
        schema: ReleaseEntity,
        example: () => exampleRelease('piloted'),
      },
    },
    events: [
      'release.targetDateUpdated',
      'release.pilotChanged',
      'checklistItem.statusChanged',
      ...RETYPING_EVENTS,
    ],
    precondition,
    check: (call, errors) => releases.checkUpdate(call, errors),
    handle: (call) => releases.update(call),
  }),
  operation({
    id: 'deleteRelease',
    steps: twoSteps('destroys the release'),
    method: 'DELETE',
    path: '/app/{appId}/release/{releaseId}',
    tag: 'Release',
    summary: 'Delete a release',
    description:
      'Deletes a planned release. Refused once it was submitted or completed, and while a store request for it is pending.',
    access: actions('CreateDeleteRelease'),
    responses: { 204: { description: 'Deleted.' } },
    events: RETYPING_EVENTS,
    precondition,
    handle: (call) => releases.destroy(call),
  }),
  operation({
    id: 'skipRelease',
    steps: twoStepsIf(
      ({ force }) => (force ?? false) !== false,
      'to force it',
      'forced, it leaves a version in its stores; else it can be undone'
    ),
    method: 'PUT',
    path: '/app/{appId}/release/{releaseId}/skip',
    tag: 'Release',
    summary: 'Skip a release',
    description:
      'Skips a version that never shipped. The next upcoming release becomes active. A release that is in review or live is refused with its status in stores (`release_live`); with `force` it is skipped anyway, and `warnings` say what happens to it there. Pending decisions to advance it in stores are dropped.',
    access: actions('CreateDeleteRelease'),
    body: {
      kind: 'json',
      name: 'SkipReleaseRequestBody',
      description: 'Options for skipping the release.',
      validator: skipValidator,
      example: { reason: 'Folded into 4.3.0' },
      optional: true,
    },
    responses: {
      200: {
        description: 'The release, with `warnings` if a store still has it.',
        schema: WarnedReleaseEntity,
        example: exampleSkippedRelease,
      },
    },
    precondition,
    handle: (call) => releases.skip(call),
  }),
  operation({
    id: 'unskipRelease',
    steps: twoSteps('automations act on its dates again'),
    method: 'PUT',
    path: '/app/{appId}/release/{releaseId}/unskip',
    tag: 'Release',
    summary: 'Un-skip a release',
    description:
      'Restores the earlier status of the release; unfinished steps begin a new run and keep their items and store texts.',
    access: actions('CreateDeleteRelease'),
    responses: {
      200: {
        description: 'The release.',
        schema: ReleaseEntity,
        example: () => exampleRelease('piloted'),
      },
    },
    events: FALLING_EVENTS,
    precondition,
    handle: (call) => releases.unskip(call),
  }),
  operation({
    id: 'kickOffRelease',
    callsOthers: true,
    steps: twoSteps('the branch is cut'),
    method: 'PUT',
    path: '/app/{appId}/release/{releaseId}/kickoff',
    tag: 'Release',
    summary: 'Kick off a release now',
    description:
      'Kicks the release off and makes it active. If the app has a version-control integration and a release branch pattern in `branchSettings`, the branch is created or found first: the response shows the current release, `release.kickedOff` follows, and a branch that cannot be created blocks the kickoff step with the reason until kickoff is requested again. Otherwise kickoff is immediate. Repeating it changes nothing. It works during a freeze, with a warning.',
    beyond: true,
    access: actions('CreateBranchPromoteCode'),
    responses: {
      200: {
        description: 'The release, with any `warnings`.',
        schema: WarnedReleaseEntity,
        example: () => exampleRelease('kickedOff'),
      },
    },
    events: ['release.kickedOff', ...SETTLING_EVENTS],
    precondition,
    handle: (call) => releases.kickOff(call),
  }),
  operation({
    id: 'completeRelease',
    callsOthers: true,
    steps: twoSteps('ends the release for good'),
    method: 'PUT',
    path: '/app/{appId}/release/{releaseId}/complete',
    tag: 'Release',
    summary: 'Complete a release',
    description:
      'Completes a release that has no automatic signal. A release that was kicked off, submitted or approved counts as released to users; one that nobody began, or the store rejected, is only closed. The next upcoming release becomes active. A release that is in review, or live below 100 %, is refused with its status in stores (`release_live`); with `force` it is completed anyway, and `warnings` say what happens to it there. Pending decisions to advance it in stores are dropped. It works during a freeze, with a warning.',
    beyond: true,
    access: actions('CreateDeleteRelease'),
    body: {
      kind: 'json',
      name: 'CompleteReleaseRequestBody',
      description: 'Options for completing the release.',
      validator: completeValidator,
      example: { force: true },
      optional: true,
    },
    responses: {
      200: {
        description: 'The release, with any `warnings`.',
        schema: WarnedReleaseEntity,
        example: () => exampleRelease('completed'),
      },
    },
    events: [
      'release.released',
      'checklistItem.statusChanged',
      'releaseStep.statusChanged',
      'release.stepsReadyToSubmit',
    ],
    precondition,
    handle: (call) => releases.complete(call),
  }),
]
