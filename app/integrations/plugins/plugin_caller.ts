import { randomUUID } from 'node:crypto'
import type { Logger } from '@adonisjs/core/logger'
import { instantOf, type Clock, type Instant } from '#foundation/core/clock'
import type { Tenant } from '#foundation/core/principal'
import { refuse } from '#foundation/core/problems/problem'
import type { SecretBox } from '#foundation/core/secret_box'
import type { AuthenticationDoor } from '#plugin-kit/port/door'
import { secretOf } from '#plugin-kit/port/secret_of'
import type { CapabilityMap } from '#plugin-kit/capabilities/map'
import type { ContextApp, Kept, PluginContext, Ref } from '#plugin-kit/context'
import type { Kind } from '#plugin-kit/kinds'
import type { PluginManifest } from '#plugin-kit/manifest'
import type { CapabilityLoader, Plugin } from '#plugin-kit/plugin'
import {
  PROVIDER_ERROR_CODES,
  type ProviderError,
  type ProviderErrorCode,
} from '#plugin-kit/provider_error'
import { ConnectionAuthenticator, type TokenPairs } from '#plugin-kit/authentication/authenticators'
import { refusedToken } from '#plugin-kit/authentication/refusals'
import { firstPair, textOf, type AuthorizationGrant } from '#plugin-kit/authentication/strategies'
import type { TokenCache } from '#plugin-kit/authentication/token_cache'
import { ScratchPairs } from '#plugin-kit/authentication/scratch_pairs'
import type { ConnectionFolders } from '../connections/connection_folders.js'
import { KEEPS_NOTHING } from '../connections/kept_values.js'
import type { LastResponses } from '../last_answers.js'
import type { CallLog } from '../port/call_log.js'
import { fingerprintOf, type Credentials } from '../connections/credentials.js'
import type { HttpPort, PortUse } from '#provider-port/http_port'
import { shielded, type Called } from './shielded.js'

/** Timeout of a check, in milliseconds. */
const CHECK_TIMEOUT_MS = 30_000

/** A connection in the form that plugins take. */
export interface OpenConnection {
  organization: Tenant
  /** Id of the connection and version of its credentials; null if they are not stored yet. */
  stored: { id: string; version: number } | null
  settings: Readonly<Record<string, unknown>>
  credentials: Credentials
}

/** The purpose for which a plugin is used. */
export interface Use {
  data: Readonly<Record<string, unknown>>
  /** The app of the integration; absent for a check of the connection itself. */
  app?: ContextApp
  /** The integration for which it is used; absent if it is used for the connection itself. */
  integrationId?: string
  /** Ends the calls when nobody waits for them any more. */
  signal: AbortSignal
  /**
   * A person waits for the answer: the call takes precedence over background calls, and ignores an
   * open breaker.
   */
  isForPerson?: boolean
}

export interface PluginCallerDependencies {
  clock: Clock
  logger: Logger
  port: HttpPort
  log: Pick<CallLog, 'of'>
  cache: TokenCache
  secrets: SecretBox
  /** Provides the tokens of a stored connection. */
  pairsOf: (connection: OpenConnection & { stored: { id: string; version: number } }) => TokenPairs
  folders: ConnectionFolders
  /** Provides what a plugin keeps for a stored connection. */
  keptOf: (organization: Tenant, connectionId: string) => Kept
  /** Receives each answer of a provider for an integration. */
  answers: Pick<LastResponses, 'note' | 'noteFailure'>
}

/** The webhooks of one integration at its provider. */
export interface ProviderHooks {
  /** @returns null if the provider sends by itself */
  ensure(url: string, secret: string): Promise<Ref | null>
  remove(ref: Ref): Promise<void>
}

/** The context of a part of a plugin, and the shield of its failures. */
export interface OpenedPart {
  context: PluginContext
  shield: Parameters<typeof shielded>[1]
}

/** The result of trying a connection. */
export type CheckResult =
  | { ok: true; account: string; missingPermissions: string[]; endsAt: Instant | null }
  | { ok: false; code: ProviderErrorCode; message: string }

/** Failures that concern the provider or the connection, whoever makes the call. */
const FAILURES: ReadonlySet<ProviderErrorCode> = new Set([
  'unauthorized',
  'forbidden',
  'rateLimited',
  'quotaExhausted',
  'timeout',
  'unavailable',
  'protocol',
])

/**
 * Failures that count only if the service itself reads: a person may ask for something that does
 * not exist.
 */
const OWN_FAILURES: ReadonlySet<ProviderErrorCode> = new Set(['notFound', 'invalid'])

const isFailedRead = ({ isChange }: Called, { code }: ProviderError, { isForPerson }: Use) =>
  !isChange && (FAILURES.has(code) || (!isForPerson && OWN_FAILURES.has(code)))

/** Imports the parts of plugins on first use, and calls them with a connection. */
export class PluginCaller {
  constructor(private readonly dependencies: PluginCallerDependencies) {}

  /**
   * Returns the capability of a plugin for one kind, with a connection and the data of an
   * integration.
   * @throws plugin_missing if it lacks that kind, or its code cannot be imported
   */
  async capability<Each extends Kind>(
    plugin: Plugin,
    kind: Each,
    connection: OpenConnection,
    use: Use
  ): Promise<CapabilityMap[Each]> {
    const load = plugin.capabilities[kind] as CapabilityLoader<CapabilityMap[Each]> | undefined
    const { id } = plugin.manifest
    if (!load) throw refuse('plugin_missing', { detail: `The plugin ${id} has no ${kind}.` })
    const loaded = await once(load, () => load.call(plugin.capabilities)).catch(
      (cause: unknown) => {
        throw refuse('plugin_missing', { detail: `${kind} of ${id} cannot be imported.`, cause })
      }
    )
    const { context, redaction } = this.#open(plugin, connection, use)
    const log = this.dependencies.logger.child({ plugin: id, kind })
    const { integrationId } = use
    const { organization } = connection
    const { answers: results } = this.dependencies
    return shielded(new loaded.default(context), {
      redaction,
      signal: use.signal,
      ...(integrationId && {
        answered: (call) => results.note(organization.id, integrationId, call),
        failed: (call, error) => {
          if (isFailedRead(call, error, use)) {
            results.noteFailure(organization.id, integrationId, call, error)
          }
        },
      }),
      broken: (error) => log.warn({ err: error }, 'A plugin failed'),
    })
  }

  /**
   * Gets the first tokens of a connection that a person agreed to in a browser.
   * @returns the credentials to try and to store
   * @throws ProviderError
   */
  async exchange(
    plugin: Plugin,
    connection: Omit<OpenConnection, 'stored'>,
    grant: AuthorizationGrant
  ): Promise<Credentials> {
    const { manifest } = plugin
    const { credentials, settings } = connection
    const scheme = manifest.auth.find((each) => each.scheme === 'oauth2')
    if (!scheme)
      throw refuse('plugin_missing', { detail: `${manifest.id} does not support OAuth.` })
    let door!: AuthenticationDoor
    this.dependencies.port.use({
      connection: {
        manifest,
        settings,
        credentials,
        fingerprint: fingerprintOf(this.dependencies.secrets, manifest.id, credentials),
        id: null,
        recorder: this.#recorderOf(manifest, connection),
      },
      signal: AbortSignal.timeout(CHECK_TIMEOUT_MS),
      isForPerson: true,
      describeError: async () => undefined,
      authenticator: (given) => {
        door = given
        return null
      },
    })
    door.learn(grant.code, grant.verifier)
    const { clock } = this.dependencies
    const { access, refreshToken } = await firstPair({ scheme, credentials, door, clock }, grant)
    if (refreshToken !== null) return { ...credentials, refreshToken }
    if ('accessToken' in manifest.credentialSchema.properties) {
      return { ...credentials, accessToken: access.value }
    }
    throw refusedToken('The provider gives no refresh token; see its scopes')
  }

  /** Returns the context and shield for a part of a plugin that is no capability. */
  open(plugin: Plugin, connection: OpenConnection, signal: AbortSignal): OpenedPart {
    const { context, redaction } = this.#open(plugin, connection, {
      data: {},
      signal,
      isForPerson: true,
    })
    const log = this.dependencies.logger.child({ plugin: plugin.manifest.id })
    const broken = (error: unknown) => log.warn({ err: error }, 'A plugin failed')
    return { context, shield: { redaction, signal, broken } }
  }

  /**
   * Returns a plugin's handling of webhooks for one integration.
   * @throws plugin_missing if it has none, or they cannot be imported
   */
  async hooks(plugin: Plugin, connection: OpenConnection, use: Use): Promise<ProviderHooks> {
    const { id } = plugin.manifest
    if (!plugin.webhooks) throw refuse('plugin_missing', { detail: `${id} has no webhooks.` })
    const { default: webhooks } = await plugin.webhooks().catch((cause: unknown) => {
      throw refuse('plugin_missing', { detail: `The webhooks of ${id} cannot be imported.`, cause })
    })
    const { context, redaction } = this.#open(plugin, connection, use)
    const log = this.dependencies.logger.child({ plugin: id })
    const hooks: ProviderHooks = {
      ensure: (url, secret) => {
        redaction.learn(secret)
        return webhooks.ensure(context, url, secret)
      },
      remove: (ref) => webhooks.remove(context, ref),
    }
    return shielded(hooks, {
      redaction,
      signal: use.signal,
      broken: (error) => log.warn({ err: error }, 'A plugin failed'),
    })
  }

  /** Tries the credentials of a connection. Failures are returned, not thrown. */
  async check(
    plugin: Plugin,
    connection: OpenConnection,
    timeoutMs = CHECK_TIMEOUT_MS
  ): Promise<CheckResult> {
    const signal = AbortSignal.timeout(timeoutMs)
    return (await this.#check(plugin, connection, signal)).check
  }

  /**
   * Tries credentials that are not stored yet.
   * @returns the result, and the credentials to store: trying them may have renewed the refresh
   * token
   */
  async tryOut(
    plugin: Plugin,
    connection: Omit<OpenConnection, 'stored'>,
    timeoutMs = CHECK_TIMEOUT_MS
  ): Promise<{ check: CheckResult; credentials: Credentials }> {
    const signal = AbortSignal.timeout(timeoutMs)
    const { check, pairs } = await this.#check(plugin, { ...connection, stored: null }, signal)
    const { credentials } = connection
    const { refreshToken } = credentials
    const current = pairs instanceof ScratchPairs ? pairs.current : refreshToken
    return {
      check,
      credentials: refreshToken ? { ...credentials, refreshToken: current } : credentials,
    }
  }

  async #check(plugin: Plugin, connection: OpenConnection, signal: AbortSignal) {
    const { context, pairs, redaction } = this.#open(plugin, connection, {
      data: {},
      signal,
      isForPerson: true,
    })
    const { redact } = redaction
    const check = await this.#runCheck(plugin, context, signal).catch((error): CheckResult => {
      if (signal.aborted) return { ok: false, code: 'timeout', message: 'It does not respond' }
      return { ok: false, ...failureOf(error, redact) }
    })
    return { check: check.ok ? { ...check, account: redact(check.account) } : check, pairs }
  }

  async #runCheck(
    plugin: Plugin,
    context: PluginContext,
    signal: AbortSignal
  ): Promise<CheckResult> {
    const { default: lifecycle } = await plugin.lifecycle()
    const found = await Promise.race([lifecycle.check(context), ended(signal)])
    const { account, missingPermissions, endsAt } = found
    return { ok: true, account, missingPermissions, endsAt: instantNamed(endsAt) }
  }

  #recorderOf(
    { id }: PluginManifest,
    { organization, stored }: Pick<OpenConnection, 'organization'> & Partial<OpenConnection>
  ) {
    const connectionId = stored?.id ?? null
    return this.dependencies.log.of({ organizationId: organization.id, connectionId, pluginId: id })
  }

  #open(
    plugin: Plugin,
    connection: OpenConnection,
    { data, app, signal, isForPerson = false }: Use
  ) {
    const { manifest } = plugin
    const { settings, credentials } = connection
    const { clock, secrets } = this.dependencies
    const log = this.dependencies.logger.child({ plugin: manifest.id })
    const pairs = this.#pairsOf(connection)
    const { redaction, ...ways } = this.dependencies.port.use({
      connection: {
        manifest,
        settings,
        credentials,
        // Computed on demand: few budgets need it, and it costs more than a call.
        get fingerprint() {
          return fingerprintOf(secrets, manifest.id, credentials)
        },
        id: connection.stored?.id ?? null,
        recorder: this.#recorderOf(manifest, connection),
      },
      signal,
      isForPerson,
      describeError: async () => {
        const { default: lifecycle } = await once(plugin, () => plugin.lifecycle())
        return lifecycle.describeError?.bind(lifecycle)
      },
      authenticator: this.#authenticatorOf(manifest, connection, pairs),
    })
    const context: PluginContext = {
      manifest,
      connection: settings,
      data,
      app: app ?? null,
      folder: connection.stored ? this.dependencies.folders.of(connection.stored.id) : null,
      kept: connection.stored
        ? this.dependencies.keptOf(connection.organization, connection.stored.id)
        : KEEPS_NOTHING,
      secret: (name) => secretOf(manifest, credentials, name),
      ...ways,
      log: {
        info: (fields, message) => log.info(redaction.redactAll(fields), redaction.redact(message)),
        warn: (fields, message) => log.warn(redaction.redactAll(fields), redaction.redact(message)),
      },
      now: () => new Date(clock.milliseconds()),
      signal,
    }
    return { context, pairs, redaction }
  }

  #pairsOf(connection: OpenConnection): TokenPairs {
    const { stored, credentials } = connection
    return stored
      ? this.dependencies.pairsOf({ ...connection, stored })
      : new ScratchPairs(textOf(credentials, 'refreshToken'))
  }

  #authenticatorOf(
    manifest: PluginManifest,
    { organization, stored, credentials }: OpenConnection,
    pairs: TokenPairs
  ): PortUse['authenticator'] {
    const { clock, cache } = this.dependencies
    const key = stored ? `${organization.id} ${stored.id} v${stored.version}` : randomUUID()
    return (door) =>
      new ConnectionAuthenticator({ manifest, credentials, door, clock, cache, pairs, key })
  }
}

const imported = new WeakMap<object, unknown>()

/** Caches imports by owner: importing a module again costs many times as much as a call. */
async function once<Loaded>(owner: object, load: () => Promise<Loaded>): Promise<Loaded> {
  const known = imported.get(owner) as Loaded | undefined
  if (known !== undefined) return known
  const loaded = await load()
  imported.set(owner, loaded)
  return loaded
}

/** Parses a time that a plugin gives; null for none, or an invalid one. */
const instantNamed = (given: unknown) => (typeof given === 'string' ? instantOf(given) : null)

function ended(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}

/** Describes a failure without secrets. An unexpected error has the code `protocol`. */
function failureOf(error: unknown, redact: (text: string) => string) {
  const { code, message } = error as { code?: unknown; message?: unknown }
  const known = PROVIDER_ERROR_CODES.find((each) => each === code)
  const reported = typeof message === 'string' ? message : 'The plugin failed'
  return { code: known ?? ('protocol' as const), message: redact(reported) }
}
