import { later, type Instant } from '#foundation/core/clock'
import { WEEK } from '#foundation/core/durations'
import { newId } from '#foundation/core/ids'
import { InputErrors, type PartiallyValid } from '#foundation/core/problems/input_errors'
import { refuse, refuseField } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { recordAudit } from '#organizations/audit'
import { findPerson } from '#organizations/queries/find_person'
import { requireLevel } from '../../bucket_levels.js'
import type Bucket from '../../models/bucket.js'
import { findBucket } from '../../queries/find_bucket.js'
import { mayInstall } from '../may_install.js'
import { findLink, type LinkRow } from '../queries/link_entities.js'
import { installLinks } from '../tables.js'
import type { CreateLinkInput } from '../validators.js'

/** Creates a link by which one tester installs, or anybody who has it. */
export class CreateLink {
  constructor(private readonly scope: Scope) {}

  /** @throws not_found, bucket_level_missing, invalid_input, public_links_disabled */
  async handle(appId: string, bucketId: string, input: CreateLinkInput): Promise<LinkRow> {
    const { scope } = this
    const { buildDistroBuildId: buildId = null } = input
    const errors = new InputErrors()
    const { bucket, userId } = await this.check(appId, bucketId, input, errors)
    errors.throwIfAny()
    const { expiresAt = buildId === null ? null : later(scope.now, WEEK) } = input
    const id = newId('link')
    const { actor: createdBy, now: createdAt } = scope
    const row = { id, bucketId, buildId, userId, createdBy, createdAt, expiresAt }
    await scope.insert(installLinks, [row])
    await recordAudit(scope, {
      action: 'installLink.created',
      subject: id,
      data: { appId, bucketId, buildId, userId, expiresAt },
    })
    return findLink(scope, bucket, id)
  }

  /**
   * Gathers errors that a valid shape does not exclude.
   * @throws not_found, bucket_level_missing, public_links_disabled
   */
  async check(
    appId: string,
    bucketId: string,
    input: PartiallyValid<CreateLinkInput>,
    errors: InputErrors
  ): Promise<{ bucket: Bucket; userId: string | null }> {
    const { scope } = this
    const bucket = await findBucket(scope, appId, bucketId)
    const { buildDistroBuildId: buildId = null, email = null, expiresAt = null } = input
    const isPublic = email === null && errors.isWellFormed('/email')
    // Nobody can later find out who installed by a public link, so it takes an admin.
    requireLevel(scope, bucket, isPublic ? 'admin' : 'uploader')
    await errors.collect(() => this.#requireBuild(bucket, buildId))
    await errors.collect(() => requireFuture(expiresAt, scope.now))
    if (isPublic) await this.#requirePublic(bucket)
    const tester = email === null ? null : await errors.collect(() => this.#tester(bucket, email))
    return { bucket, userId: tester ?? null }
  }

  async #requireBuild(bucket: Bucket, buildId: string | null) {
    if (buildId === null) return
    const builds = this.scope.table('distribution_builds')
    const place = { id: buildId, bucket_id: bucket.id }
    if (await builds.where(place).select('id').first()) return
    const message = `The bucket has no build ${buildId}.`
    throw refuseField('/buildDistroBuildId', 'unknown', message)
  }

  /** @throws public_links_disabled */
  async #requirePublic(bucket: Bucket): Promise<void> {
    if (await mayInstall(this.scope, bucket, null)) return
    throw refuse('public_links_disabled', {
      detail: `Name a tester: the bucket ${bucket.name} has no public links.`,
    })
  }

  /** Returns the id of the tester with an e-mail address. @throws invalid_input */
  async #tester(bucket: Bucket, email: string): Promise<string> {
    const { scope } = this
    const person = await findPerson(scope, email)
    if (!person) {
      const message = `No user of the organization has the address ${email}.`
      throw refuseField('/email', 'unknown_user', message)
    }
    if (await mayInstall(scope, bucket, person.id)) return person.id
    const message = `${email} is not a member of the bucket, which is not open to the organization.`
    throw refuseField('/email', 'no_access', message)
  }
}

/** @throws invalid_input */
export function requireFuture(expiresAt: Instant | null, now: Instant): void {
  if (expiresAt === null || expiresAt > now) return
  throw refuseField('/expiresAt', 'in_the_past', 'The expiry of a link must be in the future.')
}
