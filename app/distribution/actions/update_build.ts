import { InputErrors, type PartiallyValid } from '#foundation/core/problems/input_errors'
import type { Scope } from '#foundation/core/scope'
import { recordAudit } from '#organizations/audit'
import { requireLevel } from '../bucket_levels.js'
import type { BuildDistroBuildEntity } from '../entities.js'
import { buildEntity, findBuild, type BuildRow } from '../queries/build_entities.js'
import { findBucket } from '../queries/find_bucket.js'
import { expireBuilds } from '../retention/expire_builds.js'
import { planRetention } from '../retention/plan_retention.js'
import { distributionBuilds } from '../tables.js'
import { setTags } from '../testers/tags.js'
import type { UpdateBuildInput } from '../validators/build_input.js'
import type { BuildPlace } from './attach_file.js'

/** Changes the notes, the tags or the expiry of a build. */
export class UpdateBuild {
  constructor(private readonly scope: Scope) {}

  /** @throws not_found, bucket_level_missing, invalid_input */
  async handle(
    place: BuildPlace,
    input: UpdateBuildInput,
    baseUrl: string
  ): Promise<BuildDistroBuildEntity> {
    const { scope } = this
    const { bucket, build } = await this.#find(place)
    const { appId, bucketId } = place
    const { testerNotes, expiresAt, status, tags } = input
    const errors = new InputErrors()
    this.#checkExpiry(build, input, errors)
    errors.throwIfAny()
    const wanted = {
      testerNotes: testerNotes === undefined ? build.testerNotes : testerNotes,
      expiresAt: expiresAt === undefined ? build.expiresAt : expiresAt,
      status: status ?? build.status,
    }
    const isSame = Object.entries(wanted).every(
      ([name, value]) => build[name as keyof typeof wanted] === value
    )
    const haveTagsChanged = tags !== undefined && (await setTags(scope, build, tags))
    if (isSame && !haveTagsChanged) return buildEntity(scope, build, baseUrl)
    await scope.update(distributionBuilds, { id: build.id }, { ...wanted, updatedAt: scope.now })
    if (wanted.status === 'expired' && build.status !== 'expired') {
      await expireBuilds(scope, [build])
    }
    await planRetention(scope, bucket)
    await recordAudit(scope, {
      action: 'build.updated',
      subject: build.id,
      data: { appId, bucketId, ...wanted, ...(tags && { tags }) },
    })
    return buildEntity(scope, await findBuild(scope, bucket, build.id), baseUrl)
  }

  /** Gathers errors that a valid shape does not exclude. @throws not_found, bucket_level_missing */
  async check(
    place: BuildPlace,
    input: PartiallyValid<UpdateBuildInput>,
    errors: InputErrors
  ): Promise<void> {
    const { build } = await this.#find(place)
    this.#checkExpiry(build, input, errors)
  }

  async #find({ appId, bucketId, buildDistroBuildId }: BuildPlace) {
    const bucket = await findBucket(this.scope, appId, bucketId)
    requireLevel(this.scope, bucket, 'admin')
    return { bucket, build: await findBuild(this.scope, bucket, buildDistroBuildId) }
  }

  #checkExpiry(
    { status, expiresAt: before }: BuildRow,
    { expiresAt }: PartiallyValid<UpdateBuildInput>,
    errors: InputErrors
  ): void {
    if (expiresAt === undefined || expiresAt === before) return
    const add = (code: string, message: string) =>
      errors.add({ pointer: '/expiresAt', code, message })
    if (expiresAt !== null && expiresAt <= this.scope.now) {
      add('in_the_past', 'The expiry of a build must be in the future.')
    } else if (status === 'expired') add('expired', 'The files of the build are gone.')
  }
}
