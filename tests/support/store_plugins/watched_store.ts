import {
  draw,
  type ConsoleAction,
  type Doer,
  type Moment,
  type StoreOptions,
  type Truth,
} from '../../../examples/hostile-store/src/core/index.js'
import { DAY, MINUTE } from '#foundation/core/durations'
import type { ProviderFake } from '@tarmac/plugin-kit/testing'
import type { JudgedStore } from '#stores/tests/reconciler/journal'

/** A store with more changes of its own in one span of time is in an endless loop. */
const MAX_CHANGES = 10_000

/** The settings of one run of a fake, beside those of every store. */
export interface WatchedOptions extends StoreOptions {
  /** The lag of lists that the plugin declares, in seconds. */
  lagSeconds: number
}

/**
 * The fake of a vendor, with a history of each change of its state and of its author. The history
 * is read from the fake itself and not through the plugin, and uses the clock of the fake.
 */
export abstract class WatchedStore implements JudgedStore {
  abstract readonly fake: ProviderFake
  readonly #histories = new Map<string, Moment[]>()
  #now: number
  #doer: Doer = { who: 'store' }
  /** The idempotency key of the call that sends the next requests. */
  caller = 'a read'
  /** Runs before each request, except requests for a token. */
  onRequest: ((request: Request) => Promise<void>) | null = null

  constructor(protected readonly options: WatchedOptions) {
    this.#now = options.startsAt
  }

  /** Returns the present state of every version in the fake. */
  protected abstract present(): Truth[]
  /** The next time at which the store changes by itself; Infinity for never. */
  protected abstract get dueAt(): number
  /** Carries out the changes that are due now. */
  protected abstract due(): void
  /** Carries out an action of a person in the console; false if the console does not offer it. */
  protected abstract act(action: ConsoleAction): boolean
  /** Called after each change, as reviews may have begun or ended. */
  protected abstract watchReviews(): void
  /**
   * Returns an intermediate state of a version that passed between two others at once; null for
   * none.
   */
  protected between(_before: Truth, _after: Truth): Truth | null {
    return null
  }

  /** Revokes the present credentials, or makes them valid again. */
  abstract revoke(isRevoked: boolean): void
  /** Sets the staleness of lists, in milliseconds. */
  abstract lag(milliseconds: number): void
  protected abstract isForToken(request: Request): boolean

  get kind() {
    return this.options.kind
  }

  get lagSeconds() {
    return this.options.lagSeconds
  }

  get now(): number {
    return this.#now
  }

  get versions(): string[] {
    return [...this.#histories.keys()]
  }

  truth(version: string): Truth | null {
    return this.#histories.get(version)?.at(-1)?.truth ?? null
  }

  history(version: string): readonly Moment[] {
    return this.#histories.get(version) ?? []
  }

  /** Watches every request to the fake. @param nowMs the clock of the plugin */
  protected watch(fake: ProviderFake, nowMs: () => number): void {
    const respond = fake.answer.bind(fake)
    fake.answer = async (request) => {
      if (this.isForToken(request)) return respond(request)
      const { caller } = this
      this.pass(nowMs())
      await this.onRequest?.(request)
      this.pass(nowMs())
      try {
        return await respond(request)
      } finally {
        this.#by({ who: 'us', key: caller }, () => undefined)
      }
    }
  }

  /** Begins the history with the present state, dated 60 days back. */
  protected remember(): void {
    for (const truth of this.present()) {
      const at = this.options.startsAt - 60 * DAY
      this.#histories.set(truth.version, [{ at, by: { who: 'console' }, truth }])
    }
  }

  /** Advances the clock, and lets the store make the changes that are due by then. */
  pass(until: number): void {
    if (until < this.#now) throw new RangeError('Time does not go back')
    for (let changes = 0; this.dueAt <= until; changes += 1) {
      if (changes > MAX_CHANGES) throw new RangeError('The store is never done')
      this.#now = Math.max(this.#now, this.dueAt)
      this.#by({ who: 'store' }, () => this.due())
    }
    this.#now = until
  }

  console(action: ConsoleAction): boolean {
    return this.#by({ who: 'console' }, () => this.act(action))
  }

  #by<Result>(doer: Doer, change: () => Result): Result {
    this.#doer = doer
    const result = change()
    this.#note()
    return result
  }

  #note(): void {
    const present = new Set<string>()
    for (const truth of this.present()) {
      present.add(truth.version)
      this.#record(truth)
    }
    for (const [version, history] of this.#histories) {
      const { truth } = history[history.length - 1]
      if (present.has(version) || truth.state === 'removed') continue
      this.#record({ ...truth, state: 'removed', raw: 'gone', rollout: null, share: 0 })
    }
    this.watchReviews()
  }

  #record(truth: Truth): void {
    const history = this.#histories.get(truth.version)
    const before = history?.at(-1)
    if (before && JSON.stringify(before.truth) === JSON.stringify(truth)) return
    const between = before ? this.between(before.truth, truth) : null
    const moments = [between ?? [], truth].flat().map((each) => {
      return { at: this.#now, by: this.#doer, truth: each }
    })
    this.#histories.set(truth.version, [...(history ?? []), ...moments])
  }

  protected draw(...labels: readonly (string | number)[]): number {
    return draw(this.options.seed, ...labels)
  }

  protected reviewTime(...labels: readonly (string | number)[]): number {
    const [least, most] = this.options.reviewMinutes
    return Math.round((least + this.draw('review', ...labels) * (most - least)) * MINUTE)
  }
}

/** Returns the state of a version that was never submitted. */
export const blank = (version: string, track: string, build: string): Truth => ({
  version,
  track,
  build,
  state: 'preparing',
  raw: '',
  review: 'notSubmitted',
  submission: 0,
  release: 'manual',
  phased: false,
  rollout: null,
  share: 0,
  stopped: false,
  waitsForSending: false,
})
