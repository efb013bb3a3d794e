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
      'Joins a release for iOS and one for Android: both wait for each other after their reviews, and one `takeoff` releases both, by a person or on the first of their target dates. A person publishes Android in the Play Console, and iOS is released once Google Play shows it. Not for apps that only leave on the same days (`followsAppId` of the cadence).',
    body: {
      kind: 'json',
      name: 'JoinReleasesRequestBody',
      description: 'The other one.',
      validator: joinValidator,
      example: { releaseId: examplePair.releaseId, managedPublishing: true },
    },
    answers: {
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
      'Parts the pair: a takeoff of both comes to nothing; a publication that Android is asked for stays. Not for stopping anything: that is `redButton`.',
    answers: { 204: { description: 'They are no pair any more.' } },
    handle: (call) => pairs.part(call),
  }),
]
