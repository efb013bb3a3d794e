import { later, type Instant } from '#foundation/core/clock'
import { refuseField } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { recordAudit } from '../audit.js'
import { makeKey } from '../key_format.js'
import ApiKey from '../models/api_key.js'
import { apiKeyApps, apiKeyGroups } from '../tables.js'

const YEAR_MS = 365 * 24 * 3600 * 1000

export interface CreateKeyInput {
  name: string
  admin?: boolean
  groupIds?: readonly string[]
  appIds?: readonly string[]
  /** True if the key sees only the apps of `appIds`; by default, if `appIds` is not empty. */
  appRestricted?: boolean
  /** Null never expires. The default is one year from now. */
  expiresAt?: Instant | null
  rotatedFrom?: string
  /** The rule by which a run of CI got it; absent for a key that a person made. */
  trustRuleId?: string
  /** The person it acts as, with their rights; by default it has rights of its own. */
  userId?: string
}

/** Creates an API key. The key itself is in the response and is not stored. */
export class CreateKey {
  constructor(private readonly scope: Scope) {}

  /** @throws invalid_input for an admin key that should be restricted to apps */
  async handle(input: CreateKeyInput): Promise<{ id: string; name: string; key: string }> {
    const { scope } = this
    const { id, key, secretHash } = makeKey()
    const appIds = input.appIds ?? []
    const appRestricted = input.appRestricted ?? appIds.length > 0
    requirePossible({ admin: input.admin, appRestricted })
    await scope.create(ApiKey, {
      id,
      name: input.name,
      secretHash,
      admin: input.admin ?? false,
      appRestricted,
      expiresAt: input.expiresAt === undefined ? later(scope.now, YEAR_MS) : input.expiresAt,
      rotatedFrom: input.rotatedFrom ?? null,
      userId: input.userId ?? null,
      trustRuleId: input.trustRuleId ?? null,
      createdAt: scope.now,
    })
    await scope.insert(
      apiKeyGroups,
      (input.groupIds ?? []).map((groupId) => ({ apiKeyId: id, groupId }))
    )
    await scope.insert(
      apiKeyApps,
      appIds.map((appId) => ({ apiKeyId: id, appId }))
    )
    await recordAudit(scope, {
      action: 'key.created',
      subject: id,
      data: {
        name: input.name,
        admin: input.admin ?? false,
        groupIds: input.groupIds ?? [],
        appIds,
        appRestricted,
        rotatedFrom: input.rotatedFrom ?? null,
        userId: input.userId ?? null,
      },
    })
    return { id, name: input.name, key }
  }
}

/** @throws invalid_input for an admin key that should be restricted to apps */
export function requirePossible({
  admin,
  appRestricted,
}: Pick<CreateKeyInput, 'admin' | 'appRestricted'>): void {
  if (!admin || !appRestricted) return
  throw refuseField(
    '/appIds',
    'not_for_admin',
    'An admin key is for all apps of its organization: create it without apps, or give the key groups instead of admin.'
  )
}
