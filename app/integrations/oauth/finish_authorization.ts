import type { Database } from '@adonisjs/lucid/database'
import { from } from '#foundation/core/database/from'
import type { Clock } from '#foundation/core/clock'
import type { RowOf, StoredRowOf } from '#foundation/core/database/table'
import { transact } from '#foundation/core/database/transact'
import type { UnitOfWork } from '#foundation/core/database/unit_of_work'
import { unrestricted, type Principal, type Tenants } from '#foundation/core/principal'
import { refuse } from '#foundation/core/problems/problem'
import type { SecretBox } from '#foundation/core/secret_box'
import { isProviderError } from '#plugin-kit/provider_error'
import { ConnectProvider } from '../actions/connect_provider.js'
import { RotateCredentials } from '../actions/rotate_credentials.js'
import type Connection from '../models/connection.js'
import type { PluginCaller } from '../plugins/plugin_caller.js'
import { pluginOfConnection } from '../queries/find_connection.js'
import type { oauthStarts } from '../tables.js'
import { hashOf, ownerOf, type KeptForAnswer } from './begin_authorization.js'

export interface FinishAuthorizationParts {
  database: Database
  unitOfWork: UnitOfWork
  tenants: Tenants
  secrets: SecretBox
  caller: PluginCaller
  clock: Clock
}

/** The parameters of the redirect from the provider. */
export interface AuthorizationAnswer {
  state: string
  code?: string
  error?: string
}

const unknown = () =>
  refuse('authorization_unknown', {
    detail: 'The authorization has expired, was answered before, or did not begin here.',
  })

/** Makes a connection of what a person agreed to. An answer is good once, whatever comes of it. */
export class FinishAuthorization {
  constructor(private readonly parts: FinishAuthorizationParts) {}

  /** @throws authorization_unknown, authorization_refused, provider_error, what connecting throws */
  async handle({ state, code, error }: AuthorizationAnswer): Promise<Connection> {
    const start = await this.#take(hashOf(state))
    const organization = start && (await this.parts.tenants.find(start.organizationId))
    if (!start || !organization || start.expiresAt <= this.parts.clock.now()) throw unknown()
    if (code === undefined) {
      // The words of a provider are anybody's: only the code of OAuth is repeated.
      const told = /^[a-z_]{1,40}$/.test(error ?? '') ? ` (${error})` : ''
      throw refuse('authorization_refused', { detail: `The provider refused access${told}.` })
    }
    const { secrets, caller, unitOfWork } = this.parts
    const kept = secrets.open<KeptForAnswer>(
      ownerOf(organization.id, start.stateHash),
      start.ciphertext
    )
    if (!kept) throw unknown()
    const plugin = pluginOfConnection(start)
    const { settings, redirectUri } = start
    const given = { organization, settings, credentials: kept.credentials }
    const grant = { code, redirectUri, verifier: kept.verifier }
    const got = await caller.exchange(plugin, given, grant).catch((failure: unknown) => {
      if (!isProviderError(failure)) throw failure
      throw refuse('authorization_refused', { detail: `${failure.message}.` })
    })
    const { check, credentials } = await caller.tryOut(plugin, { ...given, credentials: got })
    const principal: Principal = { organization, actor: start.actor, permissions: unrestricted }
    return unitOfWork.inTransaction(principal, async (scope) => {
      if (start.connectionId !== null) {
        const rotated = new RotateCredentials(scope, secrets)
        return (await rotated.handle(start.connectionId, credentials, check)).connection
      }
      const { manifest } = plugin
      const { alias } = start
      const made = new ConnectProvider(scope, secrets)
      return made.handle({ manifest, alias, settings, credentials, check })
    })
  }

  /** Takes it out: of two that come with one state, one finds it. */
  async #take(stateHash: string) {
    const rows: StoredRowOf<typeof oauthStarts>[] = await transact(
      this.parts.database,
      async (client) => {
        const found = await from(client, 'oauth_starts').where('state_hash', stateHash)
        const removed = await from(client, 'oauth_starts').where('state_hash', stateHash).delete()
        return Number(removed) > 0 ? found : []
      }
    )
    return rows.length > 0 ? startOf(rows[0]) : null
  }
}

function startOf(row: StoredRowOf<typeof oauthStarts>): RowOf<typeof oauthStarts> {
  return {
    stateHash: row.state_hash,
    organizationId: row.organization_id,
    pluginId: row.plugin_id,
    connectionId: row.connection_id,
    alias: row.alias,
    settings: JSON.parse(row.settings),
    ciphertext: row.ciphertext,
    redirectUri: row.redirect_uri,
    actor: JSON.parse(row.actor),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}
