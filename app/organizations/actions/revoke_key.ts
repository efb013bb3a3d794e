import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { recordAudit } from '../audit.js'
import ApiKey from '../models/api_key.js'

/** Revokes a key at once: every process checks the database at every request. */
export class RevokeKey {
  constructor(private readonly scope: Scope) {}

  /** Revoking a key again keeps the first time. @throws not_found */
  async handle(keyId: string): Promise<ApiKey> {
    const { scope } = this
    const key = await scope.query(ApiKey).where('id', keyId).first()
    if (!key) throw refuse('not_found', { detail: `There is no key ${keyId}.` })
    if (key.revokedAt !== null) return key
    key.revokedAt = scope.now
    await key.save()
    await recordAudit(scope, { action: 'key.revoked', subject: key.id, data: { name: key.name } })
    return key
  }
}
