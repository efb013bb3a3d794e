import { later, type Instant } from '#foundation/core/clock'
import { newId } from '#foundation/core/ids'
import { refuse, refuseField } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { recordAudit } from '#organizations/audit'
import { findPerson } from '#organizations/queries/find_person'
import { demandLevel } from '../../bucket_levels.js'
import type Bucket from '../../models/bucket.js'
import { findBucket } from '../../queries/find_bucket.js'
import { mayInstall } from '../may_install.js'
import { findLink, type LinkRow } from '../queries/link_entities.js'
import { installLinks } from '../tables.js'
import type { CreateLinkInput } from '../validators.js'

const WEEK = 7 * 24 * 3_600_000

/** Makes a link by which a tester installs, or whoever has it. */
export class CreateLink {
  constructor(private readonly scope: Scope) {}

  /** @throws not_found, bucket_level_missing, invalid_input, public_links_disabled */
  async handle(appId: string, bucketId: string, input: CreateLinkInput): Promise<LinkRow> {
    const { scope } = this
    const bucket = await findBucket(scope, appId, bucketId)
    const { buildDistroBuildId: buildId = null, email = null } = input
    // To whoever has it nobody can tell later what they had.
    demandLevel(scope, bucket, email === null ? 'admin' : 'uploader')
    await this.#demandBuild(bucket, buildId)
    const userId = await this.#testerOf(bucket, email)
    const { expiresAt = buildId === null ? null : later(scope.now, WEEK) } = input
    demandAhead(expiresAt, scope.now)
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

  async #demandBuild(bucket: Bucket, buildId: string | null) {
    if (buildId === null) return
    const builds = this.scope.table('distribution_builds')
    const place = { id: buildId, bucket_id: bucket.id }
    if (await builds.where(place).select('id').first()) return
    const message = `The bucket has no build ${buildId}.`
    throw refuseField('/buildDistroBuildId', 'unknown', message)
  }

  /** Who it is for; null for whoever has it. */
  async #testerOf(bucket: Bucket, email: string | null): Promise<string | null> {
    const { scope } = this
    if (email === null) {
      if (await mayInstall(scope, bucket, null)) return null
      throw refuse('public_links_disabled', {
        detail: `Name a tester: the bucket ${bucket.name} has no public links.`,
      })
    }
    const person = await findPerson(scope, email)
    if (!person) {
      const message = `No user of the organization has the address ${email}.`
      throw refuseField('/email', 'unknown_user', message)
    }
    if (await mayInstall(scope, bucket, person.id)) return person.id
    const message = `${email} is no member of the bucket, which is not open to the organization.`
    throw refuseField('/email', 'no_access', message)
  }
}

/** @throws invalid_input */
export function demandAhead(expiresAt: Instant | null, now: Instant): void {
  if (expiresAt === null || expiresAt > now) return
  throw refuseField('/expiresAt', 'in_the_past', 'A link cannot end in the past; delete it.')
}
