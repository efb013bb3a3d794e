import { actions, operation } from '#foundation/api/operation/declaration'
import { lazyController } from '#foundation/api/operation/lazy_controller'
import { twoSteps } from '#foundation/api/operation/steps'
import { examplePair, ReleasePairEntity } from './pair_entity.js'
import { joinValidator } from './pair_input.js'

const pairs = lazyController(
  async () => new (await import('./pairs_controller.js')).PairsController()
)
const about = {
  path: '/app/{appId}/release/{releaseId}/pair',
  tag: 'Release',
  beyond: true,
  access: actions('SubmitForReview'),
  precondition: { of: 'getRelease' },
} as const

export const operations = [
  operation({
    ...about,
    id: 'joinReleases',
    steps: twoSteps('one takeoff brings both to users from then on'),
    method: 'PUT',
    summary: 'Have two releases go out together',
    description:
      'Pairs an iOS release with an Android release. After its review, each waits for the other, and one `takeoff`, by a person or on the earlier target date, releases both. A person publishes Android in the Play Console; iOS is released once Google Play shows it. Not for apps that merely share release days (`followsAppId` of the cadence).',
    body: {
      kind: 'json',
      name: 'JoinReleasesRequestBody',
      description: 'The release to pair with.',
      validator: joinValidator,
      example: { releaseId: examplePair.releaseId, managedPublishing: true },
    },
    responses: {
      200: { description: 'The pair.', schema: ReleasePairEntity, example: examplePair },
    },
    errors: [409],
    handle: (call) => pairs.join(call),
  }),
  operation({
    ...about,
    id: 'partReleases',
    steps: twoSteps('each may go out without the other then'),
    method: 'DELETE',
    summary: 'Have two releases go out apart',
    description:
      'Dissolves the pair. A joint takeoff is called off; a publication already requested for Android stays. To stop a release, use `redButton`.',
    responses: { 204: { description: 'The pair is dissolved.' } },
    handle: (call) => pairs.part(call),
  }),
]
