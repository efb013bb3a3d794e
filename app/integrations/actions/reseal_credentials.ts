import type { Scope } from '#foundation/core/scope'
import type { SecretBox } from '#foundation/core/secret_box'
import { recordAudit } from '#organizations/audit'
import { resealHooks } from '../callbacks/hook_secrets.js'
import { openCredentials, sealCredentials } from '../connections/credentials.js'
import { resealTokens } from '../connections/reseal_tokens.js'
import { connectionSecrets } from '../tables.js'
import { Problem } from '#foundation/core/problems/problem'

/** Encrypts the credentials of an organization again, with the first configured key. */
export class ResealCredentials {
  constructor(
    private readonly scope: Scope,
    private readonly secrets: SecretBox
  ) {}

  /** Unreadable credentials stay as they are, and are listed. */
  async handle(): Promise<{ resealed: string[]; unreadable: string[] }> {
    const { scope, secrets } = this
    const rows: { connection_id: string }[] = await scope
      .table('connection_secrets')
      .whereNull('retired_at')
      .orderBy('connection_id')
      .select('connection_id')
    const resealed: string[] = []
    const unreadable: string[] = []
    for (const { connection_id: connectionId } of rows) {
      await scope.lock('connections', connectionId)
      const opened = await openCredentials(scope, secrets, connectionId).catch(unlessUnreadable)
      if (!opened) {
        unreadable.push(connectionId)
        continue
      }
      const { version, credentials } = opened
      const sealed = sealCredentials(scope, secrets, connectionId, version, credentials)
      const { ciphertext, fingerprint } = sealed
      await scope.update(connectionSecrets, { connectionId, version }, { ciphertext, fingerprint })
      await resealTokens(scope, secrets, connectionId, version)
      resealed.push(connectionId)
    }
    await resealHooks(scope, secrets)
    if (resealed.length > 0) {
      await recordAudit(scope, {
        action: 'connections.resealed',
        subject: scope.organization.id,
        data: { count: resealed.length },
      })
    }
    return { resealed, unreadable }
  }
}

function unlessUnreadable(error: unknown): null {
  if (error instanceof Problem && error.code === 'credentials_unreadable') return null
  throw error
}
