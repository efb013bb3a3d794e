import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ScratchPairs } from '../authentication/scratch_pairs.js'
import { textOf } from '../authentication/strategies.js'
import { TokenCache } from '../authentication/token_cache.js'
import type { CapabilityMap } from '../capabilities/map.js'
import type { PluginContext, DirectAccess } from '../context.js'
import { keptInMemory } from './kept_in_memory.js'
import type { ProviderFake } from '../fake/fake_provider.js'
import type { Scenario } from '../fake/scenario.js'
import type { Kind } from '../kinds.js'
import type { CapabilityLoader } from '../plugin.js'
import { requireNamed } from '../port/allowed_hosts.js'
import type { Credentials } from '../port/door.js'
import { secretOf } from '../port/secret_of.js'
import { ProviderError } from '../provider_error.js'
import { makeHost } from './host.js'
import { unwatched } from './machine_watch.js'
import type { ConformanceOptions } from './options.js'

const BEGINS_AT = Date.parse('2026-11-20T12:00:00.000Z')

/** The options for opening a connection. */
export interface Opening {
  credentials?: keyof ConformanceOptions['credentials']
  signal?: AbortSignal
  hanging?: 'late' | 'lasting'
}

/** A plugin connected to a new fake, for one rule. Records everything the plugin does. */
export class Bench {
  readonly fake: ProviderFake
  /** Hosts that the plugin tried to call without permission. */
  readonly refused: string[] = []
  /** The plugin's log entries, as JSON. */
  readonly logged: string[] = []
  /** The members of `connection` and the credentials that the plugin read. */
  readonly read = { connection: new Set<string>(), secret: new Set<string>() }
  readonly readOfData = new Map<Kind, Set<string>>()
  readonly #tokens = new TokenCache()
  readonly #pairs = new Map<string, ScratchPairs>()
  #now: number
  #keys = 0
  #ownFolder: string | null = null

  /**
   * @param beginsAt the initial time in milliseconds since the epoch; only the bench advances it
   */
  constructor(
    readonly options: ConformanceOptions,
    beginsAt = BEGINS_AT
  ) {
    this.fake = options.fake()
    this.#now = beginsAt
  }

  get plugin() {
    return this.options.plugin
  }

  get nowMs(): number {
    return this.#now
  }

  /** Advances the time, here and at the provider. */
  pass(milliseconds: number): void {
    this.#now += milliseconds
    this.fake.advance(milliseconds)
  }

  seed(scenario: Scenario): void {
    this.fake.seed(scenario)
  }

  /** Returns a mutation with a new idempotency key. */
  mutation(): { idempotencyKey: string } {
    this.#keys += 1
    return { idempotencyKey: `conformance-${this.#keys}` }
  }

  async lifecycle() {
    return (await this.plugin.lifecycle()).default
  }

  async capability<Each extends Kind>(
    kind: Each,
    opening: Opening = {}
  ): Promise<CapabilityMap[Each]> {
    const load = this.plugin.capabilities[kind] as CapabilityLoader<CapabilityMap[Each]>
    const { default: Capability } = await load()
    return new Capability(this.context(kind, opening))
  }

  /** @param kind null for the lifecycle, which works on the connection itself */
  context(kind: Kind | null, opening: Opening = {}): PluginContext {
    const { plugin, fake } = this
    const { credentials = 'good', signal = new AbortController().signal } = opening
    const { hanging = 'late' } = opening
    const given: Credentials = this.options.credentials[credentials] ?? {}
    const settings = this.options.settings ?? {}
    const host = makeHost({
      plugin,
      fake,
      settings,
      credentials: given,
      signal,
      hanging,
      tokens: this.#tokens,
      connection: credentials,
      pairs: this.#pairsOf(credentials, given),
      refused: (hostName) => this.refused.push(hostName),
      clock: {
        milliseconds: () => this.#now,
        advance: (milliseconds) => (this.#now += milliseconds),
      },
    })
    const log = (fields: object, message: string) =>
      this.logged.push(JSON.stringify([fields, message]))
    const folder = () => this.#folder
    return {
      manifest: plugin.manifest,
      get folder() {
        return kind === null ? null : folder()
      },
      kept: this.#kept,
      connection: recordingReads(settings, this.read.connection),
      data: this.#data(kind),
      app: kind === null ? null : { id: 'app', repository: this.#repository },
      secret: (name) => {
        this.read.secret.add(name)
        return secretOf(plugin.manifest, given, name)
      },
      ...host,
      reach: (access, work) => this.#reach(access, settings, work),
      log: { info: log, warn: log },
      now: () => new Date(this.#now),
      pause: async (milliseconds) => {
        signal.throwIfAborted()
        this.pass(milliseconds)
      },
      signal,
    }
  }

  /**
   * Returns the token pair of a connection, shared by all its uses: a refresh token may work only
   * once.
   */
  #pairsOf(connection: string, given: Credentials): ScratchPairs {
    const known = this.#pairs.get(connection) ?? new ScratchPairs(textOf(given, 'refreshToken'))
    this.#pairs.set(connection, known)
    return known
  }

  get #repository(): string | null {
    const { repoName } = this.options.data.versionControl ?? {}
    return typeof repoName === 'string' ? repoName : null
  }

  readonly #kept = keptInMemory()

  /** Created on first use: few plugins keep files. */
  get #folder(): string {
    return (this.#ownFolder ??= unwatched(() => mkdtempSync(join(tmpdir(), 'tarmac-conformance-'))))
  }

  async #reach<Result>(
    access: DirectAccess,
    settings: Readonly<Record<string, unknown>>,
    work: (addresses: readonly string[]) => Promise<Result>
  ): Promise<Result> {
    try {
      requireNamed(access.origin, settings)
    } catch (error) {
      this.refused.push(access.origin)
      throw error
    }
    if (this.fake.reach) return work(this.fake.reach(access))
    throw new ProviderError('unsupported', 'The fake is reached over HTTP alone', {
      outcome: 'notApplied',
    })
  }

  /** Removes the plugin's folder. */
  close(): void {
    if (this.#ownFolder) rmSync(this.#ownFolder, { recursive: true, force: true })
  }

  #data(kind: Kind | null): PluginContext['data'] {
    if (kind === null) return {}
    const read = this.readOfData.get(kind) ?? new Set()
    this.readOfData.set(kind, read)
    return recordingReads(this.options.data[kind] ?? {}, read)
  }
}

/** Wraps an object and records the names of the members that are read. */
function recordingReads<Members extends Readonly<Record<string, unknown>>>(
  members: Members,
  read: Set<string>
): Members {
  return new Proxy(members, {
    get(target, name, receiver) {
      if (typeof name === 'string') read.add(name)
      return Reflect.get(target, name, receiver) as unknown
    },
  })
}
