import type { PortClock } from '../../clock.js'
import { OutboundClient } from '../../../outbound-client/client.js'
import {
  ConnectionAuthenticator,
  type TokenPairs,
} from '../../../plugin-kit/authentication/authenticators.js'
import { TokenCache } from '../../../plugin-kit/authentication/token_cache.js'
import { ScratchPairs } from '../../../plugin-kit/authentication/scratch_pairs.js'
import { httpOptionsOf, type HttpOverrides } from '../../http_options.js'
import { MemoryBudgets, type Budgets } from '../../budgets.js'
import type { RecordedCall, RecordedHealth } from '../../records.js'
import { makePort } from '../../make_port.js'
import type { Transport } from '../../messages.js'
import type { PluginManifest } from '../../../plugin-kit/manifest.js'
import type { Lifecycle } from '../../../plugin-kit/plugin.js'
import { sampleManifest } from '../../../plugin-kit/tests/samples.js'
import { ProviderServer } from './provider_server.js'

export interface StageUse {
  manifest?: Partial<PluginManifest>
  settings?: Record<string, unknown>
  credentials?: Record<string, unknown>
  connectionId?: string | null
  fingerprint?: string
  signal?: AbortSignal
  isForPerson?: boolean
  describeError?: Lifecycle['describeError']
  pairs?: TokenPairs
  version?: number
}

/** Resolves every host to one server. */
export function diverted(transport: Transport, origin: () => string): Transport {
  return {
    addressesOf: (url) => transport.addressesOf(url),
    open: (request) => {
      const { host, pathname, search } = new URL(request.url)
      const url = `${origin()}${pathname}${search}`
      return transport.open({ ...request, url, headers: { ...request.headers, host } })
    },
  }
}

/** The connection that the calls use. */
interface Owner {
  connectionId: string | null
}

/** A clock that the test moves. */
class StageClock implements PortClock {
  #milliseconds: number

  constructor(start: string) {
    this.#milliseconds = Date.parse(start)
  }

  now = () => new Date(this.#milliseconds).toISOString()

  milliseconds = () => this.#milliseconds

  advance(milliseconds: number): void {
    this.#milliseconds += milliseconds
  }
}

/** A port to a provider on loopback, with a clock that advances when the port waits. */
export class PortStage {
  readonly clock = new StageClock('2026-11-20T12:00:00.000Z')
  readonly waits: number[] = []
  readonly logged: (RecordedCall & Owner)[] = []
  readonly reported: (RecordedHealth & Owner)[] = []
  readonly cache = new TokenCache()
  readonly server = new ProviderServer()
  readonly #outbound = new OutboundClient({ allowLoopback: true })
  #port!: ReturnType<typeof makePort>

  /** @param isNamed resolves the hosts that the manifest allows to the server, too */
  async start({
    options = {},
    isNamed = false,
    budgets = new MemoryBudgets(),
  }: {
    options?: HttpOverrides
    isNamed?: boolean
    budgets?: Budgets
  } = {}): Promise<this> {
    await this.server.start()
    this.#port = makePort({
      transport: isNamed ? diverted(this.#outbound, () => this.server.origin) : this.#outbound,
      clock: this.clock,
      logger: { warn: () => {} },
      budgets,
      options: httpOptionsOf({ http: options }),
      pause: async (milliseconds, signal) => {
        signal.throwIfAborted()
        this.waits.push(milliseconds)
        this.clock.advance(milliseconds)
        await new Promise((done) => setImmediate(done))
      },
      random: () => 0.5,
    })
    return this
  }

  use(use: StageUse = {}) {
    const manifest = this.manifest(use.manifest)
    const credentials = use.credentials ?? { token: 'canary-token-4711' }
    const connectionId = use.connectionId === undefined ? 'acme:1' : use.connectionId
    const refreshToken = String(credentials.refreshToken ?? '')
    return this.#port.use({
      connection: {
        manifest,
        settings: use.settings ?? { host: this.server.origin },
        credentials,
        fingerprint: use.fingerprint ?? 'print',
        id: connectionId,
        recorder: {
          add: (call) => void this.logged.push({ ...call, connectionId }),
          report: (health) => void this.reported.push({ ...health, connectionId }),
        },
      },
      signal: use.signal ?? new AbortController().signal,
      isForPerson: use.isForPerson ?? false,
      describeError: async () => use.describeError,
      authenticator: (door) =>
        new ConnectionAuthenticator({
          manifest,
          credentials,
          door,
          clock: this.clock,
          cache: this.cache,
          pairs: use.pairs ?? new ScratchPairs(refreshToken),
          key: `${connectionId} v${use.version ?? 1}`,
        }),
    })
  }

  manifest(change: Partial<PluginManifest> = {}): PluginManifest {
    return sampleManifest({
      hosts: { allow: ['api.acme.example'], selfHosted: true },
      connectionSchema: { type: 'object', properties: { host: { type: 'string' } } },
      rate: { requests: 10_000, perSeconds: 1, concurrency: 100, scope: 'credential' },
      ...change,
    })
  }

  stop(): Promise<void> {
    return this.server.stop()
  }
}

/** Makes a stage that ends with its test. */
export async function stageOf(
  cleanup: (end: () => Promise<void>) => void,
  options: Parameters<PortStage['start']>[0] = {}
): Promise<PortStage> {
  const stage = await new PortStage().start(options)
  cleanup(() => stage.stop())
  return stage
}

/** Returns the error that work ends with. */
export async function errorOf(work: Promise<unknown>): Promise<any> {
  return work.then(
    () => {
      throw new Error('It went well')
    },
    (error) => error
  )
}

/** Makes so many calls, one after the other, and ignores failures. */
export async function callTimes(stage: PortStage, times: number, use = stage.use()) {
  const codes: string[] = []
  for (let index = 0; index < times; index++) {
    const { code } = await use.http.send({ method: 'POST', path: '/x', json: {} }).then(
      () => ({ code: 'ok' }),
      (error) => ({ code: error.detail.reason ?? error.code })
    )
    codes.push(code)
  }
  return codes
}
