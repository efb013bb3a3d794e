import type { Scope } from '#foundation/core/scope'
import type { SecretBox } from '#foundation/core/secret_box'
import { recordAudit } from '#organizations/audit'
import { integrationObservers } from '../callbacks/observers.js'
import { forgetStarts, replaceCredentials, type Credentials } from '../connections/credentials.js'
import { requireUnchanged, type CredentialsBefore } from '../connections/credentials_before.js'
import { requireValidConnection } from '../connections/connection_errors.js'
import { requireNotRefused, foundBy } from '../connections/status_after.js'
import type Connection from '../models/connection.js'
import type { CheckResult } from '../plugins/plugin_caller.js'
import { findConnection, pluginOfConnection } from '../queries/find_connection.js'

/** Optional parts of a rotation. */
interface Rotation {
  settings?: Record<string, unknown> | null
  /** The credentials at the start; if given, a rotation is refused once they have changed. */
  before?: CredentialsBefore
}

/** Replaces the credentials of a connection, and its settings if given. */
export class RotateCredentials {
  constructor(
    private readonly scope: Scope,
    private readonly secrets: SecretBox
  ) {}

  /**
   * @param check the result of trying the new credentials, before the transaction
   * @throws not_found, plugin_missing, invalid_input, credentials_refused; conflict if the
   * credentials are no longer those of `before`
   */
  async handle(
    name: string,
    credentials: Credentials,
    check: CheckResult | null,
    { settings = null, before }: Rotation = {}
  ): Promise<{ connection: Connection; version: number }> {
    const { scope } = this
    const connection = await findConnection(scope, name)
    await scope.lock('connections', connection.id)
    if (before) await requireUnchanged(scope, this.secrets, connection.id, before)
    const given = settings === null ? { credentials } : { credentials, settings }
    requireValidConnection(pluginOfConnection(connection).manifest, given)
    requireNotRefused(check)
    await forgetStarts(scope, connection.id)
    const version = await replaceCredentials(scope, this.secrets, connection.id, credentials)
    connection.merge({
      status: check?.ok ? 'connected' : 'unverified',
      missingPermissions: [],
      checkFailure: null,
      endsAt: null,
      ...(check && foundBy(check, scope.now)),
      settings: settings ?? connection.settings,
      updatedAt: scope.now,
    })
    await connection.useTransaction(scope.transaction).save()
    await recordAudit(scope, {
      action: 'connection.rotated',
      subject: connection.id,
      data: { version, status: connection.status, ...(settings && { settings }) },
    })
    for (const { renewed } of integrationObservers.all) await renewed?.(scope, connection.id)
    return { connection, version }
  }
}
