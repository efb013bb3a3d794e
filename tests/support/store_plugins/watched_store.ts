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

/** A store that never comes to an end of its own deeds has a fault. */
const MOST_DEEDS = 10_000

/** The settings of one run of a fake, beside those of every store. */
export interface WatchedOptions extends StoreOptions {
  /** The highest age of lists, in seconds, as the plugin declares it. */
  lagSeconds: number
}

/**
 * The fake of a vendor with its history: each change of its state, whoever made it. It is read from
 * the fake itself, and nothing of it from the plugin. It has the time of the fake.
 */
export abstract class WatchedStore implements JudgedStore {
  abstract readonly fake: ProviderFake
  readonly #histories = new Map<string, Moment[]>()
  #now: number
  #doer: Doer = { who: 'store' }
  /** The key of the call whose requests come. */
  caller = 'a read'
  /** Runs before each request that is no request for a token. */
  onRequest: ((request: Request) => Promise<void>) | null = null

  constructor(protected readonly options: WatchedOptions) {
    this.#now = options.startsAt
  }

  /** Every version as the fake has it. */
  protected abstract present(): Truth[]
  /** The next time at which something happens by itself; Infinity for never. */
  protected abstract get dueAt(): number
  /** Lets the changes of this time happen. */
  protected abstract due(): void
  /** Carries out an action of a person in the console; false if the console does not offer it. */
  protected abstract act(action: ConsoleAction): boolean
  /** Something has changed: reviews may have begun, or are over. */
  protected abstract watchReviews(): void
  /** The state of a version between two others at one instant; null for none. */
  protected between(_before: Truth, _after: Truth): Truth | null {
    return null
  }

  /** The present credentials are known no more, or again. */
  abstract revoke(isRevoked: boolean): void
  /** Lists are so old from now on, in milliseconds. */
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

  /** Watches every request that comes to the fake. @param nowMs the time of whoever asks */
  protected watch(fake: ProviderFake, nowMs: () => number): void {
    const answer = fake.answer.bind(fake)
    fake.answer = async (request) => {
      if (this.isForToken(request)) return answer(request)
      const { caller } = this
      this.pass(nowMs())
      await this.onRequest?.(request)
      this.pass(nowMs())
      try {
        return await answer(request)
      } finally {
        this.#by({ who: 'us', key: caller }, () => undefined)
      }
    }
  }

  /** Marks the state at the begin of the history as old. */
  protected remember(): void {
    for (const truth of this.present()) {
      const at = this.options.startsAt - 60 * DAY
      this.#histories.set(truth.version, [{ at, by: { who: 'console' }, truth }])
    }
  }

  /** Time passes: the store does by itself all that it does until then. */
  pass(until: number): void {
    if (until < this.#now) throw new RangeError('Time does not go back')
    for (let deeds = 0; this.dueAt <= until; deeds += 1) {
      if (deeds > MOST_DEEDS) throw new RangeError('The store is never done')
      this.#now = Math.max(this.#now, this.dueAt)
      this.#by({ who: 'store' }, () => this.due())
    }
    this.#now = until
  }

  console(action: ConsoleAction): boolean {
    return this.#by({ who: 'console' }, () => this.act(action))
  }

  #by<Result>(doer: Doer, deed: () => Result): Result {
    this.#doer = doer
    const result = deed()
    this.#note()
    return result
  }

  #note(): void {
    const there = new Set<string>()
    for (const truth of this.present()) {
      there.add(truth.version)
      this.#record(truth)
    }
    for (const [version, history] of this.#histories) {
      const { truth } = history[history.length - 1]
      if (there.has(version) || truth.state === 'removed') continue
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

/** A truth of which nothing happened yet. */
export const blank = (version: string, track: string, build: string): Truth => ({
  ...{ version, track, build, state: 'preparing', raw: '', review: 'notSubmitted' },
  ...{ submission: 0, release: 'manual', phased: false, rollout: null },
  ...{ share: 0, stopped: false, waitsForSending: false },
})
