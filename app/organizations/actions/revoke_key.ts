import type { Scope } from '#foundation/core/scope'
import { recordAudit } from '../audit.js'
import { requireOtherAdmin } from '../grants.js'
import ApiKey from '../models/api_key.js'
import { findKey } from '../queries/list_keys.js'

/** Revokes a key. That takes effect at once, as every request checks the database. */
export class RevokeKey {
  constructor(private readonly scope: Scope) {}

  /**
   * Does nothing if the key was revoked before.
   * @param evenTheLast allows revoking the last admin key; for the console, which needs no key
   * @throws not_found, last_admin
   */
  async handle(keyId: string, { evenTheLast = false } = {}): Promise<ApiKey> {
    const { scope } = this
    const key = await findKey(scope, keyId)
    if (key.revokedAt !== null) return key
    if (!evenTheLast) await requireOtherAdmin(scope, key.id)
    key.revokedAt = scope.now
    await key.save()
    await recordAudit(scope, { action: 'key.revoked', subject: key.id, data: { name: key.name } })
    return key
  }
}

/** Revokes the keys that act as a person. */
export async function revokeKeysOf(scope: Scope, userId: string): Promise<void> {
  const keys = await scope.query(ApiKey).where('userId', userId).whereNull('revokedAt')
  for (const { id } of keys) await new RevokeKey(scope).handle(id)
}
