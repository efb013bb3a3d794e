import { Type } from '@sinclair/typebox'
import { actions, actionsOrOwner, operation, read } from '#foundation/api/operation/declaration'
import { lazyController } from '#foundation/api/operation/lazy_controller'
import { BuildDistroBucketEntity } from '../entities.js'
import { exampleBucket, exampleNewBucket } from '../examples.js'
import { createBucketValidator, updateBucketValidator } from '../validators/bucket_input.js'
import { twoSteps } from '#foundation/api/operation/steps'

const buckets = lazyController(
  async () => new (await import('../controllers/buckets_controller.js')).BucketsController()
)
const tag = 'Distribution buckets'
const entity = (description: string, example: object = exampleBucket) => ({
  description,
  schema: BuildDistroBucketEntity,
  example,
})

export const operations = [
  operation({
    id: 'listBuckets',
    method: 'GET',
    path: '/app/{appId}/bucket',
    tag,
    summary: 'List all buckets',
    description:
      'Returns the buckets that the key can see. A key with groups sees those that list one of its groups or are open to the organization, and with UploadBuilds also those without members. A key without groups, or with ManageBuckets, sees all.',
    access: read,
    isOfStored: true,
    responses: {
      200: {
        description: 'The buckets.',
        schema: Type.Array(BuildDistroBucketEntity, { maxItems: 10_000 }),
        example: [exampleBucket],
      },
    },
    handle: (call) => buckets.index(call),
  }),
  operation({
    id: 'createBucket',
    steps: twoSteps('says who may install'),
    method: 'POST',
    path: '/app/{appId}/bucket',
    tag,
    summary: 'Create a bucket',
    description:
      'Creates a bucket of type `custom`, or the `rc` or `dev` bucket if the app has none. Members are groups or users, given by `id` or `name` (for a user, the e-mail address).',
    access: actions('ManageBuckets'),
    body: {
      kind: 'json',
      name: 'BuildDistroBucketCreateRequestBody',
      description: 'The bucket to create; only `name` is required.',
      like: BuildDistroBucketEntity,
      validator: createBucketValidator,
      example: {
        name: 'Beta team',
        type: 'custom',
        orgWideAccessEnabled: false,
        members: [{ name: 'QA', permissionLevel: 'uploader' }],
        rules: [
          {
            type: 'Branch',
            branch: 'release/{version}',
            workflow: 'release.yml',
            fileFilterPatterns: ['*.ipa'],
          },
        ],
      },
    },
    responses: { 201: entity('The bucket.', exampleNewBucket) },
    errors: [409],
    check: (call, errors) => buckets.checkStore(call, errors),
    handle: (call) => buckets.store(call),
  }),
  operation({
    id: 'getBucket',
    method: 'GET',
    path: '/app/{appId}/bucket/{bucketId}',
    tag,
    summary: 'Get a bucket',
    description: 'Returns the bucket with its members and rules.',
    access: read,
    isOfStored: true,
    responses: { 200: entity('The bucket.') },
    handle: (call) => buckets.show(call),
  }),
  operation({
    id: 'updateBucket',
    steps: twoSteps('says who may install, and which builds expire'),
    method: 'PATCH',
    path: '/app/{appId}/bucket/{bucketId}',
    tag,
    summary: 'Update a bucket',
    description:
      'Changes the given fields; `members` and `rules` replace the existing ones. An archived bucket accepts no builds. Requires ManageBuckets or the admin level in the bucket.',
    access: actionsOrOwner('ManageBuckets'),
    body: {
      kind: 'json',
      name: 'BuildDistroBucketUpdateRequestBody',
      description: 'Fields to change; absent fields are kept.',
      like: BuildDistroBucketEntity,
      validator: updateBucketValidator,
      example: { orgWideAccessEnabled: true, notificationsEnabled: true },
    },
    responses: { 200: entity('The bucket.') },
    errors: [409],
    precondition: { of: 'getBucket', isResponse: true },
    check: (call, errors) => buckets.checkUpdate(call, errors),
    handle: (call) => buckets.update(call),
  }),
]
