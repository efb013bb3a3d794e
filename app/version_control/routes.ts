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
      "Returns a page of the current tags of the app's repository, newest first. Without a version-control integration the answer is 409; for a provider failure, 502 `provider_error`.",
    access: read,
    query: releaseTagsValidator,
    responses: {
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
      'Returns a page of the current commits of a branch that a release or tag lacks, newest first. Commits that were picked before are included and marked. Without a version-control integration, or for a release without a branch, the answer is 409; for a provider failure, 502 `provider_error`.',
    access: read,
    query: pickCandidatesValidator,
    responses: {
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
    steps: oneStep('can be undone'),
    method: 'PUT',
    path: '/app/{appId}/release/{releaseId}/cherryPick/{hash}',
    tag: 'Release',
    summary: 'Dismiss a requested cherry-pick',
    description:
      'Dismisses a requested cherry-pick with a reason. Otherwise the release cannot become ready until the commit is on its branch, picked by the service or added by hand. `dismissed: false` revokes the dismissal. A commit that was not requested is 404, one already on the branch 409 `cherry_pick_in`.',
    beyond: true,
    access: actions('CreateBranchPromoteCode'),
    body: {
      kind: 'json',
      name: 'DismissCherryPickRequestBody',
      description: 'Whether to release without the commit, and why.',
      validator: dismissPickValidator,
      example: { dismissed: true, reason: 'The crash is fixed on the server.' },
    },
    responses: {
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
