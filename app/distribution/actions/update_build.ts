import { refuseField } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { recordAudit } from '#organizations/audit'
import { demandLevel } from '../bucket_levels.js'
import type { BuildDistroBuildEntity } from '../entities.js'
import { buildEntity, findBuild } from '../queries/build_entities.js'
import { findBucket } from '../queries/find_bucket.js'
import { expireBuilds } from '../retention/expire_builds.js'
import { planRetention } from '../retention/plan_retention.js'
import { distributionBuilds } from '../tables.js'
import { setTags } from '../testers/tags.js'
import type { UpdateBuildInput } from '../validators/build_input.js'
import type { BuildPlace } from './attach_file.js'

/** Changes what a build says of itself, or ends its time. */
export class UpdateBuild {
  constructor(private readonly scope: Scope) {}

  /** @throws not_found, bucket_level_missing, invalid_input */
  async handle(
    { appId, bucketId, buildDistroBuildId }: BuildPlace,
    input: UpdateBuildInput,
    baseUrl: string
  ): Promise<BuildDistroBuildEntity> {
    const { scope } = this
    const bucket = await findBucket(scope, appId, bucketId)
    demandLevel(scope, bucket, 'admin')
    const build = await findBuild(scope, bucket, buildDistroBuildId)
    const { testerNotes, expiresAt, status, tags } = input
    if (expiresAt && expiresAt !== build.expiresAt && expiresAt <= scope.now) {
      const message = 'A build cannot expire in the past; set its status to expired.'
      throw refuseField('/expiresAt', 'in_the_past', message)
    }
    const wanted = {
      testerNotes: testerNotes === undefined ? build.testerNotes : testerNotes,
      expiresAt: expiresAt === undefined ? build.expiresAt : expiresAt,
      status: status ?? build.status,
    }
    const isSame = Object.entries(wanted).every(
      ([name, value]) => build[name as keyof typeof wanted] === value
    )
    const areOthers = tags !== undefined && (await setTags(scope, build, tags))
    if (isSame && !areOthers) return buildEntity(scope, build, baseUrl)
    if (build.status === 'expired' && wanted.expiresAt !== build.expiresAt) {
      throw refuseField('/expiresAt', 'expired', 'The files of the build are gone.')
    }
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
}
