import { draw, type Random } from './random.js'
import { notFound, Refusal } from './refusal.js'
import { instant, shown, type ShownVersion } from './shown.js'
import type { ConsoleAction, Doer, Moment, StoreCall, StoreOptions, Truth } from './vocabulary.js'

const MINUTE = 60_000
/** The time from the upload of a build until it can be used. */
const UPLOAD = 10 * MINUTE
/** A store that never comes to an end of its own deeds has a fault. */
const MAX_DEEDS = 10_000

interface Timer {
  at: number
  what: string
  version: string
}

/** The result of a call: the version as it was, where it was there, and as it is. */
export interface Answer {
  before?: ShownVersion
  after: ShownVersion
}

/**
 * One store: a package on Google Play with all its tracks, or an app on one platform at Apple.
 * It has no clock: whoever uses it says when something happens, never earlier than before.
 */
export abstract class HostileStore {
  /** All moments of every version, first one first. */
  readonly #histories = new Map<string, Moment[]>()
  #timers: Timer[] = []
  #now: number
  #doer: Doer = { who: 'store' }
  #received = 0

  constructor(protected readonly options: StoreOptions) {
    this.#now = options.startsAt
  }

  /** Applies a call by the vendor's rules, or refuses it as a whole. */
  protected abstract apply(call: StoreCall): void
  /** Carries out a person's deed; false if the console does not offer it. */
  protected abstract act(action: ConsoleAction): boolean
  /** Carries out what the store planned for this time. */
  protected abstract due(what: string, version: string): void
  protected abstract isListed(truth: Truth): boolean

  get kind() {
    return this.options.kind
  }

  get lagSeconds() {
    return this.options.lagSeconds
  }

  /** All versions, in the order in which they were made. */
  get versions(): string[] {
    return [...this.#histories.keys()]
  }

  /** Builds that were uploaded until then. */
  buildsAt(at: number): { number: string; usableAt: number; version?: string }[] {
    const truths = this.truths
    return Object.entries(this.options.builds)
      .filter(([, usableAt]) => usableAt - UPLOAD <= at)
      .map(([number, usableAt]) => {
        const version = truths.find(({ build }) => build === number)?.version
        return version === undefined ? { number, usableAt } : { number, usableAt, version }
      })
  }

  /** The next time at which the store does something by itself. */
  get dueAt(): number | null {
    return this.#timers.length === 0 ? null : Math.min(...this.#timers.map(({ at }) => at))
  }

  /**
   * A call arrives, and is applied or refused as a whole. Vendors know no idempotency keys: one
   * that arrives twice is applied twice.
   * @throws Refusal
   */
  receive(call: StoreCall, at: number, idempotencyKey: string): Answer {
    this.pass(at)
    this.#received += 1
    const before = this.#show(call.version)
    this.#by({ who: 'us', key: idempotencyKey }, () => this.apply(call))
    const after = this.#show(call.version)
    if (!after) throw notFound(call.version)
    return before ? { before, after } : { after }
  }

  /**
   * A list is read. Each version is shown as of a moment of its own between the declared lag
   * before the beginning and the end.
   */
  read(beganAt: number, endsAt: number, random: Random): ShownVersion[] {
    this.pass(endsAt)
    const oldest = beganAt - this.options.lagSeconds * 1000
    const { lagSeconds } = this.options
    const reading = { beganAt: instant(beganAt), observedAt: instant(endsAt), lagSeconds }
    const found: ShownVersion[] = []
    for (const history of this.#histories.values()) {
      const choice = random()
      const asOf =
        choice < 0.35 ? oldest : choice < 0.6 ? endsAt : oldest + random() * (endsAt - oldest)
      const truth = momentAt(history, asOf)?.truth
      if (truth && this.isListed(truth)) found.push(shown(truth, reading))
    }
    return shuffled(found, random)
  }

  /** A person does something in the console; false if it is not possible. */
  console(action: ConsoleAction, at: number): boolean {
    this.pass(at)
    try {
      return this.#by({ who: 'console' }, () => this.act(action))
    } catch (error) {
      if (error instanceof Refusal) return false
      throw error
    }
  }

  /** Time passes: the store does all that it planned until then. */
  pass(at: number): void {
    if (at < this.#now) throw new RangeError('Time does not go back')
    for (let deeds = 0; deeds < MAX_DEEDS; deeds += 1) {
      const next = this.#nextTimer(at)
      if (!next) {
        this.#now = at
        return
      }
      this.#timers = this.#timers.filter((each) => each !== next)
      this.#now = Math.max(next.at, this.#now)
      this.#by({ who: 'store' }, () => this.due(next.what, next.version))
    }
    throw new RangeError('The store is never done')
  }

  /** The version as it is; null if the store has none of the name. */
  truth(version: string): Truth | null {
    return this.#histories.get(version)?.at(-1)?.truth ?? null
  }

  /** Every moment of a version, with its time and its author. */
  history(version: string): readonly Moment[] {
    return this.#histories.get(version) ?? []
  }

  protected get now(): number {
    return this.#now
  }

  /** Every version as it is. */
  protected get truths(): Truth[] {
    return [...this.#histories.values()].map((each) => each[each.length - 1].truth)
  }

  protected known(version: string): Truth {
    const truth = this.truth(version)
    if (!truth) throw notFound(version)
    return truth
  }

  /** Records what a version is from now on. */
  protected record(truth: Truth): void {
    const moment = { at: this.#now, by: this.#doer, truth }
    const history = this.#histories.get(truth.version)
    if (history) history.push(moment)
    else this.#histories.set(truth.version, [moment])
  }

  protected change(version: string, change: Partial<Truth>): void {
    this.record({ ...this.known(version), ...change })
  }

  /** Records a version that was there before the history begins. */
  protected recordEarlier(truth: Truth, days: number): void {
    const at = this.#now - days * 24 * 60 * MINUTE
    this.#histories.set(truth.version, [{ at, by: { who: 'console' }, truth }])
  }

  protected plan(what: string, at: number, version = ''): void {
    this.#timers.push({ at, what, version })
  }

  protected cancelPlans(version: string, ...whats: readonly string[]): void {
    this.#timers = this.#timers.filter(
      (each) => each.version !== version || (whats.length > 0 && !whats.includes(each.what))
    )
  }

  /** Draws for the call that is under way. */
  protected drawForCall(label: string): number {
    return draw(this.options.seed, label, this.#received)
  }

  protected draw(...labels: readonly (string | number)[]): number {
    return draw(this.options.seed, ...labels)
  }

  protected reviewTime(...labels: readonly (string | number)[]): number {
    const [least, most] = this.options.reviewMinutes
    return Math.round((least + this.draw('review', ...labels) * (most - least)) * MINUTE)
  }

  #by<Result>(doer: Doer, deed: () => Result): Result {
    const outer = this.#doer
    this.#doer = doer
    try {
      return deed()
    } finally {
      this.#doer = outer
    }
  }

  #show(version: string): ShownVersion | undefined {
    const truth = this.truth(version)
    const now = instant(this.#now)
    return truth ? shown(truth, { beganAt: now, observedAt: now, lagSeconds: 0 }) : undefined
  }

  #nextTimer(until: number): Timer | null {
    let next: Timer | null = null
    for (const each of this.#timers) {
      if (each.at <= until && (next === null || each.at < next.at)) next = each
    }
    return next
  }
}

/** The moment that held at a time; undefined before the first. */
export function momentAt(history: readonly Moment[], at: number): Moment | undefined {
  for (let index = history.length - 1; index >= 0; index -= 1) {
    if (history[index].at <= at) return history[index]
  }
  return undefined
}

function shuffled<Item>(items: Item[], random: Random): Item[] {
  for (let index = items.length - 1; index > 0; index -= 1) {
    const other = Math.floor(random() * (index + 1))
    ;[items[index], items[other]] = [items[other], items[index]]
  }
  return items
}
