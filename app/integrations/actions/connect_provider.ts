import { from } from '#foundation/core/database/from'
import { randomDigits } from '#foundation/core/ids'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type { SecretBox } from '#foundation/core/secret_box'
import { recordAudit } from '#organizations/audit'
import type { PluginManifest } from '#plugin-kit/manifest'
import { replaceCredentials, type Credentials } from '../connections/credentials.js'
import { requireValidConnection } from '../connections/connection_errors.js'
import { requireNotRefused, foundBy } from '../connections/status_after.js'
import Connection from '../models/connection.js'
import type { CheckResult } from '../plugins/plugin_caller.js'

export interface ConnectProviderInput {
  manifest: PluginManifest
  /** A name by which configuration files may refer to it, too. */
  alias: string | null
  settings: Record<string, unknown>
  credentials: Credentials
  /** The result of the check of the credentials before the transaction; null without a check. */
  check: CheckResult | null
}

/** Refuses credentials that can never work, so that a retry is pointless. @throws invalid_input */
function requireUsable(check: CheckResult | null): void {
  if (check === null || check.ok || check.code !== 'invalid') return
  throw refuse('invalid_input', { detail: `This cannot be connected: ${check.message}.` })
}

/**
 * Checks that no connection has this alias or id, because files refer to connections by either.
 * @throws name_taken
 */
export async function requireFreeAlias(scope: Scope, alias: string): Promise<void> {
  const key = alias.toLowerCase()
  const taken = await scope
    .query(Connection)
    .where((query) => query.where('aliasKey', key).orWhere('id', alias))
    .first()
  if (!taken) return
  throw refuse('name_taken', { detail: `The connection ${taken.id} is named "${alias}".` })
}

/** Connects the organization with an account at a provider. */
export class ConnectProvider {
  constructor(
    private readonly scope: Scope,
    private readonly secrets: SecretBox
  ) {}

  /** @throws invalid_input, credentials_refused, name_taken */
  async handle(input: ConnectProviderInput): Promise<Connection> {
    const { scope } = this
    const { manifest, alias, settings, credentials, check } = input
    requireValidConnection(manifest, { settings, credentials })
    requireNotRefused(check)
    requireUsable(check)
    if (alias !== null) await requireFreeAlias(scope, alias)
    const connection = await scope.create(Connection, {
      id: await this.#freeId(manifest.id),
      pluginId: manifest.id,
      alias,
      aliasKey: alias?.toLowerCase() ?? null,
      status: check?.ok ? 'connected' : 'unverified',
      settings,
      account: null,
      checkedAt: null,
      missingPermissions: [],
      checkFailure: null,
      endsAt: null,
      ...(check && foundBy(check, scope.now)),
      createdAt: scope.now,
      updatedAt: scope.now,
    })
    await replaceCredentials(scope, this.secrets, connection.id, credentials)
    await recordAudit(scope, {
      action: 'connection.created',
      subject: connection.id,
      data: { plugin: manifest.id, alias, settings, status: connection.status },
    })
    return connection
  }

  /** Returns an unused id. Ids are unique across organizations. */
  async #freeId(pluginId: string): Promise<string> {
    for (;;) {
      const id = `${pluginId}:${randomDigits(12)}`
      const taken = await from(this.scope.client, 'connections')
        .where('id', id)
        .select('id')
        .first()
      if (!taken) return id
    }
  }
}
