import { created, ok } from '#foundation/api/operation/response'
import type { Call } from '#foundation/api/operation/declaration'
import type { InputErrors, PartiallyValid } from '#foundation/core/problems/input_errors'
import { CreateBucket } from '../actions/create_bucket.js'
import { UpdateBucket } from '../actions/update_bucket.js'
import { checkBucketParts } from '../bucket_parts.js'
import { bucketEntities, bucketEntity } from '../queries/bucket_entities.js'
import { findBucket, visibleBuckets } from '../queries/find_bucket.js'
import type { CreateBucketInput, UpdateBucketInput } from '../validators/bucket_input.js'

export class BucketsController {
  async index({ scope, params }: Call) {
    return ok(await bucketEntities(scope, await visibleBuckets(scope, params.appId)))
  }

  async store({ scope, params, body }: Call<CreateBucketInput>) {
    const bucket = await new CreateBucket(scope).handle(params.appId, body)
    return created(await bucketEntity(scope, bucket), `/app/${params.appId}/bucket/${bucket.id}`)
  }

  async checkStore({ scope, body }: Call<PartiallyValid<CreateBucketInput>>, errors: InputErrors) {
    await checkBucketParts(scope, body, errors)
  }

  async show({ scope, params }: Call) {
    return ok(await bucketEntity(scope, await findBucket(scope, params.appId, params.bucketId)))
  }

  checkUpdate(
    { scope, params, body }: Call<PartiallyValid<UpdateBucketInput>>,
    errors: InputErrors
  ) {
    return new UpdateBucket(scope).check(params.appId, params.bucketId, body, errors)
  }

  async update({ scope, params, body }: Call<UpdateBucketInput>) {
    const bucket = await new UpdateBucket(scope).handle(params.appId, params.bucketId, body)
    return ok(await bucketEntity(scope, bucket))
  }
}
