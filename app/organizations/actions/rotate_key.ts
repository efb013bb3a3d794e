import { later, type Instant } from '#foundation/core/clock'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { recordAudit } from '../audit.js'
import { findKey } from '../queries/list_keys.js'
import { CreateKey } from './create_key.js'

/** The default time for which the former key also keeps working, in milliseconds. */
const DEFAULT_OVERLAP_MS = 24 * 3600 * 1000

interface RotatedKey {
  id: string
  name: string
  key: string
  rotatedFrom: string
  /** Expiry of the former key. */
  previousExpiresAt: Instant
}

/** Creates a key with the permissions of a former one, which expires after an overlap. */
export class RotateKey {
  constructor(private readonly scope: Scope) {}

  /** @throws not_found; conflict when the key was revoked, has expired, or acts as a person */
  async handle(input: {
    keyId: string
    overlapMs?: number
    expiresAt?: Instant | null
  }): Promise<RotatedKey> {
    const { scope } = this
    const former = await findKey(scope, input.keyId)
    if (former.revokedAt !== null) {
      throw refuse('conflict', {
        detail: 'The key was revoked.',
        currentStatus: 'revoked',
        allowedActions: [],
      })
    }
    if (former.userId !== null) {
      // Anybody with the new key would act as that person.
      throw refuse('conflict', {
        detail: 'The key acts for a person, who gets another one by signing in.',
        currentStatus: 'active',
        allowedActions: ['revoke'],
      })
    }
    if (former.trustRuleId !== null) {
      throw refuse('conflict', {
        detail: 'The key belongs to a CI run, which gets another one with its token.',
        currentStatus: 'active',
        allowedActions: ['revoke'],
      })
    }
    if (former.expiresAt !== null && former.expiresAt <= scope.now) {
      throw refuse('conflict', {
        detail: 'The key has expired; create a new one.',
        currentStatus: 'expired',
        allowedActions: ['revoke'],
      })
    }

    const groups: { group_id: string }[] = await scope
      .table('api_key_groups')
      .where('api_key_id', former.id)
      .select('group_id')
    const apps: { app_id: string }[] = await scope
      .table('api_key_apps')
      .where('api_key_id', former.id)
      .select('app_id')
    const created = await new CreateKey(scope).handle({
      name: former.name,
      admin: former.admin,
      groupIds: groups.map((row) => row.group_id),
      // Admin keys of earlier versions may have apps, which never restricted them.
      appIds: former.admin ? [] : apps.map((row) => row.app_id),
      appRestricted: former.appRestricted && !former.admin,
      expiresAt: input.expiresAt,
      rotatedFrom: former.id,
    })

    const end = later(scope.now, input.overlapMs ?? DEFAULT_OVERLAP_MS)
    const previousExpiresAt =
      former.expiresAt !== null && former.expiresAt < end ? former.expiresAt : end
    former.expiresAt = previousExpiresAt
    await former.save()
    await recordAudit(scope, {
      action: 'key.rotated',
      subject: former.id,
      data: { to: created.id, previousExpiresAt },
    })
    return { ...created, rotatedFrom: former.id, previousExpiresAt }
  }
}
