import { actions, operation, read } from '#foundation/api/operation/declaration'
import { lazyController } from '#foundation/api/operation/lazy_controller'
import { pageOf } from '#foundation/core/schemas'
import { ChangeEntity, FeatureReadinessItemEntity, IgnoredItemsResponse } from '../entities.js'
import {
  exampleChangePage,
  exampleIgnoredItem,
  exampleItem,
  exampleItemPage,
  UNKNOWN_ITEM,
} from '../examples.js'
import {
  changesValidator,
  ignoreItemsValidator,
  searchItemsValidator,
} from '../validators/features_input.js'
import { oneStep } from '#foundation/api/operation/steps'

const features = lazyController(
  async () => new (await import('../controllers/features_controller.js')).FeaturesController()
)
const tag = 'Release'
const RELEASE = '/app/{appId}/release/{releaseId}'

export const operations = [
  operation({
    id: 'searchFeatureReadiness',
    method: 'GET',
    path: `${RELEASE}/featureReadiness/search`,
    tag,
    summary: 'Search feature readiness items',
    description:
      'Returns a page of the work items of the release, last seen first: tickets affiliated with it, and changes in its code since the last release. The data is as last read from version control and the issue tracker, which are not called.',
    access: read,
    query: searchItemsValidator,
    responses: {
      200: {
        description: 'A page of work items.',
        schema: pageOf(FeatureReadinessItemEntity),
        example: exampleItemPage,
      },
    },
    handle: (call) => features.search(call),
  }),
  operation({
    id: 'listChanges',
    method: 'GET',
    path: '/app/{appId}/changes',
    tag: 'App',
    summary: 'List what is new between two versions',
    description:
      'Returns a page of the work items that one version has and an earlier one lacks, newest version first, each with its first release. Code that the earlier version has under another hash is not new. The data is as last read from version control and the issue tracker.',
    beyond: true,
    access: read,
    query: changesValidator,
    responses: {
      200: {
        description: 'A page of changes.',
        schema: pageOf(ChangeEntity),
        example: exampleChangePage,
      },
    },
    handle: (call) => features.changes(call),
  }),
  operation({
    id: 'ignoreFeatureReadinessItems',
    steps: oneStep('can be undone'),
    method: 'POST',
    path: `${RELEASE}/frIgnoreUnignore`,
    tag,
    summary: 'Ignore or un-ignore feature readiness items',
    description:
      'Ignores 1 to 500 work items, so that they block nothing, or restores them. Items that fail are listed in `errors`, the others are changed; if every item fails, the answer is 422 with the same members and nothing is written.',
    access: actions('UpdateFeatureReadiness'),
    body: {
      kind: 'json',
      name: 'IgnoreFeatureReadinessItemsRequestBody',
      description: 'The items to ignore or restore.',
      validator: ignoreItemsValidator,
      example: {
        items: [
          { id: exampleItem.id, ignored: true },
          { id: UNKNOWN_ITEM, ignored: true },
        ],
      },
    },
    responses: {
      200: {
        description: 'The items that were changed, and those that failed.',
        schema: IgnoredItemsResponse,
        example: {
          updated: [exampleIgnoredItem],
          errors: [
            {
              id: UNKNOWN_ITEM,
              error: `The release has no work item ${UNKNOWN_ITEM}.`,
              code: 'not_found',
            },
          ],
        },
      },
    },
    errors: [409],
    events: [
      'releaseStep.statusChanged',
      'release.stepsReadyToSubmit',
      'release.stepsReadyToRelease',
    ],
    check: (call, errors) => features.checkIgnore(call, errors),
    handle: (call) => features.ignore(call),
  }),
]
