import type { Logger } from '@adonisjs/core/logger'
import type { Clock } from '#foundation/core/clock'
import { refuse } from '#foundation/core/problems/problem'
import type { CapabilityMap } from '#plugin-kit/capabilities/map'
import type { PluginContext } from '#plugin-kit/context'
import type { Kind } from '#plugin-kit/kinds'
import type { CapabilityLoader, Plugin } from '#plugin-kit/plugin'
import { PROVIDER_ERROR_CODES, type ProviderErrorCode } from '#plugin-kit/provider_error'
import type { Credentials } from '../connections/credentials.js'

/** How long a provider may take to answer a check, in milliseconds. */
const CHECK_TIMEOUT_MS = 30_000

/** A connection as a plugin works with it. */
export interface OpenConnection {
  settings: Readonly<Record<string, unknown>>
  credentials: Credentials
}

/** What became of trying a connection. */
export type CheckResult =
  | { ok: true; account: string; missingPermissions: string[] }
  | { ok: false; code: ProviderErrorCode; message: string }

/** Imports what plugins can do when it is first used, and hands it a connection. */
export class PluginCaller {
  constructor(
    private readonly clock: Clock,
    private readonly logger: Logger
  ) {}

  /**
   * What a plugin can do of one kind, with a connection and the data of an integration.
   * @throws plugin_missing when it cannot do that kind, or its code cannot be imported
   */
  async capability<Each extends Kind>(
    plugin: Plugin,
    kind: Each,
    connection: OpenConnection,
    options: { data: Readonly<Record<string, unknown>>; signal: AbortSignal }
  ): Promise<CapabilityMap[Each]> {
    const load = plugin.capabilities[kind] as CapabilityLoader<CapabilityMap[Each]> | undefined
    const { id } = plugin.manifest
    if (!load) throw refuse('plugin_missing', { detail: `The plugin ${id} has no ${kind}.` })
    const loaded = await load().catch((cause: unknown) => {
      throw refuse('plugin_missing', { detail: `${kind} of ${id} cannot be imported.`, cause })
    })
    return new loaded.default(this.#context(plugin, connection, options))
  }

  /** Tries the credentials of a connection; whatever goes wrong is an answer. */
  async check(
    plugin: Plugin,
    connection: OpenConnection,
    timeoutMs = CHECK_TIMEOUT_MS
  ): Promise<CheckResult> {
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      const { default: lifecycle } = await plugin.lifecycle()
      const context = this.#context(plugin, connection, { data: {}, signal })
      const found = await Promise.race([lifecycle.check(context), ended(signal)])
      return { ok: true, account: found.account, missingPermissions: found.missingPermissions }
    } catch (error) {
      if (signal.aborted) return { ok: false, code: 'timeout', message: 'It does not answer' }
      return { ok: false, ...failureOf(error, connection.credentials) }
    }
  }

  #context(
    { manifest }: Plugin,
    { settings, credentials }: OpenConnection,
    { data, signal }: { data: Readonly<Record<string, unknown>>; signal: AbortSignal }
  ): PluginContext {
    const log = this.logger.child({ plugin: manifest.id })
    return {
      manifest,
      connection: settings,
      data,
      secret: (name) => (Object.hasOwn(credentials, name) ? credentials[name] : undefined),
      log: {
        info: (fields, message) => log.info(fields, message),
        warn: (fields, message) => log.warn(fields, message),
      },
      now: () => new Date(this.clock.milliseconds()),
      signal,
    }
  }
}

function ended(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}

/** A failure in words without a secret. An error that a plugin did not mean is `protocol`. */
function failureOf(error: unknown, credentials: Credentials) {
  const { code, message } = error as { code?: unknown; message?: unknown }
  const known = PROVIDER_ERROR_CODES.find((each) => each === code)
  const told = typeof message === 'string' ? message : 'The plugin failed'
  return { code: known ?? ('protocol' as const), message: withoutSecrets(told, credentials) }
}

function withoutSecrets(message: string, credentials: Credentials): string {
  const values = Object.values(credentials).filter((each) => typeof each === 'string')
  return values.reduce((text, value) => (value ? text.replaceAll(value, '•••') : text), message)
}
