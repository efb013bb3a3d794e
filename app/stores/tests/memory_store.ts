import type {
  AppStore,
  BetaState,
  BetaTesting,
  LocalizedMetadata,
  NewReviewFile,
  ReviewFile,
  StoreBuild,
  StoreReview,
  StoreVersion,
  StoreVersionState,
} from '#plugin-kit/capabilities/stores'
import type { PluginContext } from '#plugin-kit/context'
import type { Plugin } from '#plugin-kit/plugin'
import { ProviderError } from '#plugin-kit/provider_error'
import { memoryPlugin } from '#tests/support/memory_plugin'
import type { StoreType } from '../vocabulary.js'
import { APPLE_WORDS, GOOGLE_WORDS } from './store_words.js'

type Rollout = NonNullable<StoreVersion['rollout']>

/** The point at which a call breaks off: nobody knows whether it was applied. */
export type Seam = `${'before' | 'after'} ${StoreCall}`
export type StoreCall =
  | 'addReviewFile'
  | 'listVersions'
  | 'prepare'
  | 'replyToReview'
  | 'setNotes'
  | 'distribute'
  | 'setMetadata'
  | 'submit'
  | 'cancelReview'
  | 'release'
  | 'setRollout'

const OPEN: readonly string[] = ['preparing', 'rejected', 'metadataRejected', 'developerRejected']

/** A store in memory with its own rules; it records the changes that were requested. */
export class StoreInMemory {
  readonly versions: StoreVersion[] = []
  readonly builds: StoreBuild[] = []
  readonly betaBuilds: StoreBuild[] = []
  readonly groups = [
    { id: 'G1', name: 'Employees', internal: true },
    { id: 'G2', name: 'Everybody', internal: false },
  ]
  /**
   * States of the next builds that are given to testers; after these, builds are in testing at
   * once.
   */
  readonly tested: BetaState[] = []
  readonly reviews: StoreReview[] = []
  readonly texts = new Map<string, LocalizedMetadata[]>()
  readonly files = new Map<string, ReviewFile[]>()
  readonly changes: string[] = []
  /** Stores of further destinations, by their bundle id. */
  readonly others = new Map<string, StoreInMemory>()
  /** The changes that the store refused. */
  readonly refused: string[] = []
  /** The points at which the next calls break off, one each. */
  readonly breaks = new Set<Seam>()
  /** Maximum age of lists, in seconds. */
  lagSeconds = 0
  /** The refusals of the next changes. */
  readonly failures: ProviderError[] = []
  /** The state that one listing shows instead of the real one. */
  #hidden: StoreVersionState | null = null
  /** The clock: that of the machine, unless the service has its own. */
  clock = { milliseconds: () => Date.now() }
  #at = 0

  constructor(readonly type: StoreType = 'apple') {}

  /** Returns the time; later at each call. */
  now(): string {
    this.#at = Math.max(this.#at + 1, this.clock.milliseconds())
    return new Date(this.#at).toISOString()
  }

  upload(number: string, version = '1.4.0', change: Partial<StoreBuild> = {}): StoreBuild {
    const build: StoreBuild = {
      id: `B${number}`,
      number,
      version,
      uploadedAt: this.now(),
      status: { state: 'ready', raw: 'VALID', beganAt: '', observedAt: '', lagSeconds: 0 },
      ...change,
    }
    this.builds.push(build)
    return build
  }

  /** Puts a version into a state, as the store or its console does. */
  become(
    state: StoreVersionState | 'unknown',
    change: Partial<Omit<StoreVersion, 'status'>> & { raw?: string } = {}
  ): StoreVersion {
    const { raw, ...rest } = change
    const name = rest.version ?? '1.4.0'
    const version = this.find(name, rest.track) ?? this.#make(name)
    Object.assign(version, rest)
    const words = this.type === 'apple' ? APPLE_WORDS : GOOGLE_WORDS
    const known = state === 'unknown' ? 'UNHEARD_OF' : (words[state] ?? state)
    version.status = { state, raw: raw ?? known, beganAt: '', observedAt: '', lagSeconds: 0 }
    return version
  }

  /** @param track any track if absent */
  find(version: string, track?: string): StoreVersion | undefined {
    const isOn = (each: StoreVersion) => track === undefined || each.track === track
    return this.versions.find((each) => each.version === version && isOn(each))
  }

  rollout(
    change: Partial<Rollout> & Pick<Rollout, 'state'>,
    { name = '1.4.0', track }: { name?: string; track?: string } = {}
  ): void {
    const version = this.find(name, track)!
    const mode = this.type === 'apple' ? ('phased' as const) : ('staged' as const)
    version.rollout = { ...version.rollout, mode, ...change }
  }

  #make(version: string): StoreVersion {
    const made: StoreVersion = {
      id: `V${this.versions.length + 1}`,
      version,
      status: {
        state: 'preparing',
        raw: 'PREPARE_FOR_SUBMISSION',
        beganAt: '',
        observedAt: '',
        lagSeconds: 0,
      },
      release: { method: 'manual' },
      ...(this.type === 'google' && { track: 'production' }),
    }
    this.versions.push(made)
    return made
  }

  /** Returns a copy of an item, as read now. */
  seen<Item extends { status: { beganAt: string; observedAt: string } }>(item: Item): Item {
    const copy = structuredClone(item)
    copy.status.beganAt = copy.status.observedAt = this.now()
    return copy
  }

  /** Lets one listing after the next submission lag behind, and show the state before. */
  hideOnce(state: StoreVersionState): void {
    this.#hidden = state
  }

  /** Returns a version as a listing shows it. */
  listed(version: StoreVersion): StoreVersion {
    const shown = this.seen(version)
    shown.status.lagSeconds = this.lagSeconds
    if (this.#hidden === null || version.status.state !== 'waitingForReview') return shown
    const words = this.type === 'apple' ? APPLE_WORDS : GOOGLE_WORDS
    shown.status = { ...shown.status, state: this.#hidden, raw: words[this.#hidden]! }
    this.#hidden = null
    return shown
  }

  /**
   * Carries out a change; at a break point it is applied, or not, and the caller does not learn
   * which.
   */
  async change<Result>(name: StoreCall, what: string, act: () => Result): Promise<Result> {
    const failure = this.failures.shift()
    if (failure) throw failure
    if (this.breaks.delete(`before ${name}`)) throw broken()
    let result: Result
    try {
      result = act()
    } catch (error) {
      this.refused.push(what)
      throw error
    }
    this.changes.push(what)
    if (this.breaks.delete(`after ${name}`)) throw broken()
    return result
  }

  /** Publishes approved versions, as a person does in the console. */
  publish(): void {
    const held = this.versions.filter(({ status }) => status.state === 'pendingRelease')
    if (held.length === 0) throw new Error('Nothing waits to be published')
    for (const { id } of held) this.release(id)
  }

  version(id: string): StoreVersion {
    const found = this.versions.find((each) => each.id === id)
    if (!found) throw refusal('notFound', `There is no version ${id}`)
    return found
  }

  prepare(input: Parameters<AppStore['prepare']>[0]): StoreVersion {
    const build = this.builds.find((each) => each.number === input.buildNumber)
    if (!build) throw refusal('notFound', `There is no build ${input.buildNumber}`)
    const version = this.find(input.version) ?? this.#make(input.version)
    if (!OPEN.includes(version.status.state)) throw refusal('conflict', 'It cannot be edited')
    const { release } = input
    version.buildId = build.id
    version.buildNumbers = [build.number]
    version.release =
      typeof release === 'object' ? { method: 'scheduled', at: release.at } : { method: release }
    if (input.phased) {
      const { fraction } = input
      const mode = this.type === 'apple' ? ('phased' as const) : ('staged' as const)
      version.rollout = { mode, state: 'inactive', ...(fraction !== undefined && { fraction }) }
    }
    return version
  }

  submit(id: string): StoreVersion {
    const version = this.version(id)
    if (!OPEN.includes(version.status.state)) throw refusal('conflict', 'It is in review')
    if (!version.buildId) throw refusal('preconditionFailed', 'It has no build')
    return this.become('waitingForReview', { version: version.version, submissionId: `S${id}` })
  }

  release(id: string): StoreVersion {
    const version = this.version(id)
    if (version.status.state !== 'pendingRelease') throw refusal('conflict', 'Not approved')
    if (version.rollout) {
      const { rollout } = version
      version.rollout = { ...rollout, state: 'active', day: 1, fraction: 0.01 }
    }
    return this.become('live', { version: version.version })
  }

  setRollout(id: string, to: Parameters<AppStore['setRollout']>[1]): StoreVersion {
    const version = this.version(id)
    if (!version.rollout) throw refusal('conflict', 'It is not rolled out')
    const { rollout } = version
    if ('fraction' in to) {
      if (this.type === 'apple') throw refusal('unsupported', 'Percentages cannot be set')
      version.rollout = { ...rollout, state: 'active', fraction: to.fraction }
    } else {
      const states = {
        start: 'active',
        pause: this.type === 'apple' ? 'paused' : 'halted',
        resume: 'active',
        halt: this.type === 'apple' ? 'paused' : 'halted',
        complete: 'complete',
      } as const
      version.rollout = { ...rollout, state: states[to.action] }
    }
    if (this.type === 'google') {
      const { state } = version.rollout
      const named = { halted: 'halted', complete: 'live' } as const
      const shown = state === 'halted' || state === 'complete' ? named[state] : 'rolledOutPartially'
      this.become(shown, { version: version.version, track: version.track })
    }
    return version
  }

  get plugin(): Plugin {
    return this.pluginAs('memory-store')
  }

  /** Returns the plugin under another id, to use it beside that of a second store. */
  pluginAs(pluginId: string): Plugin {
    // A second store of the app is identified by its bundle id.
    const memory = ({ data }: PluginContext) => this.others.get(String(data.bundleId)) ?? this
    const items = <Item>(all: readonly Item[]) => ({ items: [...all] })
    const Store = class implements AppStore {
      constructor(readonly ctx: PluginContext) {}
      async listVersions({ version }: { version?: string }) {
        const store = memory(this.ctx)
        if (store.breaks.delete('before listVersions')) throw broken()
        const isNamed = (each: StoreVersion) => version === undefined || each.version === version
        return items(store.versions.filter(isNamed).map((each) => store.listed(each)))
      }
      async listBuilds({ version }: { version?: string }) {
        const store = memory(this.ctx)
        const isOfVersion = (each: StoreBuild) => version === undefined || each.version === version
        return items(store.builds.filter(isOfVersion).map((each) => store.seen(each)))
      }
      async prepare(input: Parameters<AppStore['prepare']>[0]) {
        const store = memory(this.ctx)
        const what = `prepare ${input.version} with ${input.buildNumber}`
        return store.change('prepare', what, () => store.seen(store.prepare(input)))
      }
      async getMetadata(id: string) {
        return structuredClone(memory(this.ctx).texts.get(id) ?? [])
      }
      async setMetadata(id: string, entries: LocalizedMetadata[]) {
        const store = memory(this.ctx)
        return store.change('setMetadata', 'setMetadata', () => {
          if (!OPEN.includes(store.version(id).status.state)) throw refusal('conflict', 'In review')
          store.texts.set(id, structuredClone(entries))
          return entries
        })
      }
      async listReviewFiles(id: string) {
        return structuredClone(memory(this.ctx).files.get(id) ?? [])
      }
      async addReviewFile(id: string, file: NewReviewFile) {
        const store = memory(this.ctx)
        const bytes = Buffer.concat([await file.read(0, 5), await file.read(5, file.size)])
        return store.change('addReviewFile', `addReviewFile ${file.name}`, () => {
          if (!OPEN.includes(store.version(id).status.state)) throw refusal('conflict', 'In review')
          const there = store.files.get(id) ?? []
          const added = { id: `F${there.length + 1}`, name: file.name, size: bytes.length }
          store.files.set(id, [...there, added])
          return added
        })
      }
      async submit(id: string) {
        const store = memory(this.ctx)
        return store.change('submit', 'submit', () => store.seen(store.submit(id)))
      }
      async cancelReview(id: string) {
        const store = memory(this.ctx)
        return store.change('cancelReview', 'cancelReview', () => {
          const { version, status } = store.version(id)
          const isApple = store.type === 'apple'
          const isReviewed = ['waitingForReview', 'inReview'].includes(status.state)
          if (!isReviewed && !(isApple && status.state === 'pendingRelease')) {
            throw refusal('conflict', 'It is not in review')
          }
          return store.seen(store.become(isApple ? 'developerRejected' : 'preparing', { version }))
        })
      }
      async release(id: string) {
        const store = memory(this.ctx)
        return store.change('release', 'release', () => store.seen(store.release(id)))
      }
      async setRollout(id: string, to: Parameters<AppStore['setRollout']>[1]) {
        const store = memory(this.ctx)
        const what = `setRollout ${'fraction' in to ? to.fraction : to.action}`
        return store.change('setRollout', what, () => {
          const before = store.seen(store.version(id))
          return { before, after: store.seen(store.setRollout(id, to)) }
        })
      }
      async listReviews() {
        return items(structuredClone(memory(this.ctx).reviews))
      }
      async replyToReview(id: string, text: string) {
        const store = memory(this.ctx)
        return store.change('replyToReview', `replyToReview ${id}: ${text}`, () => {
          const review = store.reviews.find((each) => each.id === id)
          if (!review) throw refusal('notFound', `There is no review ${id}`)
          const state = store.type === 'apple' ? 'pending' : 'published'
          review.reply = { text, state, at: store.now() }
          return structuredClone(review)
        })
      }
    }
    const Beta = class implements BetaTesting {
      constructor(readonly ctx: PluginContext) {}
      async listGroups() {
        return items(memory(this.ctx).groups)
      }
      async listBuilds() {
        const store = memory(this.ctx)
        return items(store.betaBuilds.map((each) => store.seen(each)))
      }
      async setNotes(id: string, notes: { locale: string; text: string }[]) {
        const store = memory(this.ctx)
        const reported = notes.map(({ locale, text }) => `${locale} ${text}`).join(', ')
        return store.change('setNotes', `setNotes ${id}: ${reported}`, () => undefined)
      }
      async distribute(id: string, groups: string[]) {
        const store = memory(this.ctx)
        return store.change('distribute', `distribute ${id} to ${groups.join(', ')}`, () => {
          const at = store.now()
          const state = store.tested.shift() ?? 'testing'
          const build = store.betaBuilds.find((each) => each.id === id)
          const given = { state, raw: state, beganAt: at, observedAt: at, lagSeconds: 0 }
          if (build) build.testing = given
          return given
        })
      }
    }
    const { type } = this
    return memoryPlugin(pluginId, 'Store in memory', {
      appStore: {
        type,
        features: ['release', 'replyToReview', 'listReviewFiles', 'addReviewFile'],
        does: Store,
      },
      betaTesting: { type: `${type}-beta`, does: Beta },
    })
  }
}

export const broken = () =>
  new ProviderError('timeout', 'The connection was lost', { outcome: 'unknown' })

export const refusal = (
  code: 'notFound' | 'conflict' | 'preconditionFailed' | 'invalid' | 'unavailable' | 'unsupported',
  message: string
) => new ProviderError(code, message, { outcome: 'notApplied' })
