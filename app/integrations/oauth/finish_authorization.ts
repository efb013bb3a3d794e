import type { Database } from '@adonisjs/lucid/database'
import { from } from '#foundation/core/database/from'
import type { Clock } from '#foundation/core/clock'
import type { RowOf, StoredRowOf } from '#foundation/core/database/table'
import { transact } from '#foundation/core/database/transact'
import type { UnitOfWork } from '#foundation/core/database/unit_of_work'
import { unrestricted, type Principal, type Tenants } from '#foundation/core/principal'
import { refuse } from '#foundation/core/problems/problem'
import type { SecretBox } from '#foundation/core/secret_box'
import type { Plugin } from '#plugin-kit/plugin'
import { isProviderError } from '#plugin-kit/provider_error'
import { ConnectProvider } from '../actions/connect_provider.js'
import { RotateCredentials } from '../actions/rotate_credentials.js'
import type Connection from '../models/connection.js'
import type { Credentials } from '../connections/credentials.js'
import { schemaErrors } from '../connections/connection_errors.js'
import type { CheckResult, PluginCaller } from '../plugins/plugin_caller.js'
import { pluginOfConnection } from '../queries/find_connection.js'
import type { oauthStarts } from '../tables.js'
import {
  hashOf,
  ownerOf,
  type AuthorizationStart,
  type KeptForAnswer,
} from './begin_authorization.js'
import { serviceUrlOf } from './answer_path.js'
import { BrowserSetups } from './browser_setup.js'

export interface FinishAuthorizationDependencies {
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
  installation_id?: string
  setup_action?: string
}

/** The page from which the browser posts a form to the provider. */
export type BrowserPage = NonNullable<KeptForAnswer['page']> & { name: string }

/** The browser that finishes an authorization begun on a page, and its person. */
export interface AnsweringBrowser {
  principal: Principal
  /** The session of the browser. */
  browser: string
}

/**
 * Credentials that a person agreed to. `check` is null if the result of trying them does not count.
 */
interface Made {
  check: CheckResult | null
  credentials: Credentials
  /** The version of the credentials that they replace. */
  version: number | null
}

const unknown = () =>
  refuse('authorization_unknown', {
    detail: 'The authorization has expired, was completed before, or was not started here.',
  })

/** Finishes a connection that a person agreed to. An answer can be used once, even if it fails. */
export class FinishAuthorization {
  constructor(private readonly dependencies: FinishAuthorizationDependencies) {}

  /**
   * @param by null if it began at the console; one that began on a page can only be finished by its
   * browser
   * @returns the connection, or the address that the browser opens next
   * @throws authorization_unknown, authorization_refused, provider_error, what connecting throws
   */
  async handle(
    { state, code, error, ...more }: AuthorizationAnswer,
    by: AnsweringBrowser | null = null
  ): Promise<Connection | AuthorizationStart> {
    const found = await this.#find(hashOf(state))
    // The answer of a stranger does not use up the authorization.
    if (!found || !isOf(found, by)) throw unknown()
    const { organization, kept } = await this.#opened(found)
    const isOauth = kept.verifier !== undefined
    const isAgreed = code !== undefined || (!isOauth && more.setup_action !== undefined)
    if (!isAgreed && error === undefined) {
      throw refuse('authorization_refused', { detail: 'The provider sent no code.' })
    }
    const start = await this.#take(hashOf(state))
    if (!start) throw unknown()
    if (!isAgreed) {
      // Anybody can forge the text of a redirect, so only an error code of OAuth is repeated.
      const reported = /^[a-z_]{1,40}$/.test(error ?? '') ? ` (${error})` : ''
      throw refuse('authorization_refused', { detail: `The provider refused access${reported}.` })
    }
    const { caller } = this.dependencies
    const plugin = pluginOfConnection(start)
    const { settings, redirectUri } = start
    const given = { organization, settings, credentials: kept.credentials }
    const principal = by?.principal ?? {
      ...{ organization, actor: start.actor, permissions: unrestricted },
    }
    const got = await this.#orRefusal(async () => {
      if (kept.verifier === undefined || code === undefined)
        return this.#proceed(principal, plugin, start, kept, { code, ...more })
      const grant = { code, redirectUri, verifier: kept.verifier }
      return { credentials: await caller.exchange(plugin, given, grant) }
    })
    if ('url' in got) return got
    this.#requireValidCredentials(plugin, { settings, credentials: got.credentials })
    const { check, credentials } = await caller.tryOut(plugin, { ...given, ...got })
    // This is the only copy of a new key, so it is stored even if it cannot be tried yet.
    const isKept = !isOauth && !check.ok && check.code !== 'unauthorized'
    const { version } = kept
    const created = { check: isKept ? null : check, credentials, version }
    return this.#connect(principal, plugin, start, created)
  }

  /**
   * Returns the organization on whose pages it began; null if it began at the console, or is
   * unknown.
   */
  async beganOnPages(state: string): Promise<string | null> {
    const start = await this.#find(hashOf(state))
    return start?.browser ? start.organizationId : null
  }

  /**
   * Returns the page from which the browser posts a form; it may be loaded again.
   * @throws authorization_unknown
   */
  async page(state: string): Promise<BrowserPage> {
    const start = await this.#find(hashOf(state))
    const { kept } = await this.#opened(start)
    if (!kept.page) throw unknown()
    return { ...kept.page, name: pluginOfConnection(start!).manifest.name }
  }

  /** @throws authorization_unknown if it is unknown or expired */
  async #opened(start: Start | null) {
    const organization = start && (await this.dependencies.tenants.find(start.organizationId))
    if (!start || !organization || start.expiresAt <= this.dependencies.clock.now()) throw unknown()
    const owner = ownerOf(organization.id, start.stateHash)
    const kept = this.dependencies.secrets.open<KeptForAnswer>(owner, start.ciphertext)
    if (!kept) throw unknown()
    return { organization, kept }
  }

  #proceed(
    principal: Principal,
    plugin: Plugin,
    { alias, settings, connectionId, browser, redirectUri }: Start,
    { credentials, version }: KeptForAnswer,
    result: Partial<Record<string, string>>
  ): Promise<AuthorizationStart | { credentials: Credentials }> {
    const { caller, secrets, unitOfWork } = this.dependencies
    const setups = new BrowserSetups({
      caller,
      secrets,
      inTransaction: (work) => unitOfWork.inTransaction(principal, work),
    })
    const present = Object.entries(result).filter(([, value]) => value !== undefined)
    const serviceUrl = serviceUrlOf(redirectUri)
    const input = { alias, settings, connectionId, version, browser, serviceUrl, credentials }
    return setups.proceed(
      principal,
      plugin,
      input,
      Object.fromEntries(present) as Record<string, string>
    )
  }

  /** Turns a failure of the provider into its refusal. */
  async #orRefusal<Result>(ask: () => Promise<Result>): Promise<Result> {
    try {
      return await ask()
    } catch (failure) {
      if (!isProviderError(failure)) throw failure
      const detail = failure.message.endsWith('.') ? failure.message : `${failure.message}.`
      throw refuse('authorization_refused', { detail })
    }
  }

  /**
   * Refuses with `authorization_refused`, not `invalid_input`: the values come from the provider,
   * not from the person.
   */
  #requireValidCredentials({ manifest }: Plugin, given: Parameters<typeof schemaErrors>[1]): void {
    if (schemaErrors(manifest, given).length === 0) return
    throw refuse('authorization_refused', {
      detail: `What ${manifest.name} gave is not a key that the plugin knows.`,
    })
  }

  #connect(
    principal: Principal,
    { manifest }: Plugin,
    { connectionId, alias, settings }: Start,
    { check, credentials, version }: Made
  ): Promise<Connection> {
    const { secrets, unitOfWork } = this.dependencies
    return unitOfWork.inTransaction(principal, async (scope) => {
      if (connectionId !== null) {
        const rotated = new RotateCredentials(scope, secrets)
        return (await rotated.handle(connectionId, credentials, check, { before: { version } }))
          .connection
      }
      const action = new ConnectProvider(scope, secrets)
      return action.handle({ manifest, alias, settings, credentials, check })
    })
  }

  async #find(stateHash: string): Promise<Start | null> {
    const rows: StoredRowOf<typeof oauthStarts>[] = await transact(
      this.dependencies.database,
      async (client) => from(client, 'oauth_starts').where('state_hash', stateHash)
    )
    return rows.length > 0 ? startOf(rows[0]) : null
  }

  /** Removes and returns it, so that only one of two concurrent answers finds it. */
  async #take(stateHash: string): Promise<Start | null> {
    const rows: StoredRowOf<typeof oauthStarts>[] = await transact(
      this.dependencies.database,
      async (client) => {
        const found = await from(client, 'oauth_starts').where('state_hash', stateHash)
        const removed = await from(client, 'oauth_starts').where('state_hash', stateHash).delete()
        return Number(removed) > 0 ? found : []
      }
    )
    return rows.length > 0 ? startOf(rows[0]) : null
  }
}

type Start = RowOf<typeof oauthStarts>

/** Returns whether an answer comes from the browser that began it. */
const isOf = ({ organizationId, browser }: Start, by: AnsweringBrowser | null): boolean =>
  by === null
    ? browser === null
    : browser === by.browser && organizationId === by.principal.organization.id

function startOf(row: StoredRowOf<typeof oauthStarts>): Start {
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
    browser: row.browser,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}
