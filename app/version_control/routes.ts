import { actions, operation, read } from '#foundation/api/operation/declaration'
import { lazyController } from '#foundation/api/operation/lazy_controller'
import { pageOf } from '#foundation/core/schemas'
import { oneStep } from '#foundation/api/operation/steps'
import { ReleaseEntity, ReleaseTag } from '#releases/entities'
import { CherryPickCandidateCommit } from './entities.js'
import { exampleRelease } from '#releases/examples'
import { exampleCandidatePage, exampleTagPage } from './examples.js'
import {
  dismissPickValidator,
  pickCandidatesValidator,
  releaseTagsValidator,
} from './validators/version_control_input.js'

const versionControl = lazyController(
  async () =>
    new (await import('./controllers/version_control_controller.js')).VersionControlController()
)

/** Reads of an app's repository, and the dismissal of requested cherry-picks. */
export const operations = [
  operation({
    id: 'listReleaseTags',
    method: 'GET',
    path: '/app/{appId}/releaseTags',
    tag: 'Release',
    summary: 'List release tags',
    description:
      "A page of the tags of the app's repository, newest first, as version control has them now. Without a version-control integration it is 409; where the provider fails it is 502 `provider_error`.",
    access: read,
    query: releaseTagsValidator,
    answers: {
      200: { description: 'A page of tags.', schema: pageOf(ReleaseTag), example: exampleTagPage },
    },
    errors: [409, 502],
    handle: (call) => versionControl.tags(call),
  }),
  operation({
    id: 'listCherryPickCandidateCommits',
    callsOthers: true,
    method: 'GET',
    path: '/app/{appId}/cherryPickCandidateCommits',
    tag: 'Release',
    summary: 'List cherry-pick candidate commits',
    description:
      'A page of the commits of a branch that a release or a tag has not, newest first, as version control has them now. One that was picked before is there as well, and says so. Without a version-control integration, or for a release without a branch, it is 409; where the provider fails it is 502 `provider_error`.',
    access: read,
    query: pickCandidatesValidator,
    answers: {
      200: {
        description: 'A page of commits.',
        schema: pageOf(CherryPickCandidateCommit),
        example: exampleCandidatePage,
      },
    },
    errors: [409, 502],
    handle: (call) => versionControl.candidates(call),
  }),
  operation({
    id: 'dismissCherryPick',
    steps: oneStep('can be taken back'),
    method: 'PUT',
    path: '/app/{appId}/release/{releaseId}/cherryPick/{hash}',
    tag: 'Release',
    summary: 'Dismiss a requested cherry-pick',
    description:
      'A commit that was asked to be picked keeps the release from being ready until its branch has it, picked by the service or brought in by hand, or until it is dismissed with a reason. `dismissed: false` takes that back. 404 for a commit that nobody asked for, 409 `cherry_pick_in` for one that the branch has.',
    beyond: true,
    access: actions('CreateBranchPromoteCode'),
    body: {
      kind: 'json',
      name: 'DismissCherryPickRequestBody',
      description: 'Whether the release goes out without the commit, and why.',
      validator: dismissPickValidator,
      example: { dismissed: true, reason: 'The crash is fixed on the server.' },
    },
    answers: {
      200: {
        description: 'The release, with its cherry-picks.',
        schema: ReleaseEntity,
        example: () => exampleRelease('kickedOff'),
      },
    },
    events: ['release.stepsReadyToSubmit'],
    precondition: { of: 'getRelease' },
    handle: (call) => versionControl.dismissPick(call),
  }),
]
