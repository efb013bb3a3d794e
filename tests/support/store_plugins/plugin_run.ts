import { Bench } from '@tarmac/plugin-kit/testing'
import {
  isProviderError,
  type ProviderError,
  type Plugin,
  type StoreVersion,
} from '@tarmac/plugin-kit'
import { instant, randomFrom, type Random } from '../../../examples/hostile-store/src/core/index.js'
import { DAY, HOUR, MINUTE, SECOND } from '#foundation/core/durations'
import type { StoreCall } from '#stores/reconciler/record'
import { failure, isOpen, mayArrive, some } from '#stores/tests/reconciler/flights'
import type { Flight, Journal } from '#stores/tests/reconciler/journal'
import { exactly, type Exact, type Scenario, type Step } from '#stores/tests/reconciler/scenario'
import type { CallResult, Setting, System } from '#stores/tests/reconciler/system'
import { SystemSide } from '#stores/tests/reconciler/system_side'
import { callOf, everyVersion, named } from './plugin_calls.js'
import { troubleFrom, type Asking, type Trouble } from './trouble.js'
import type { Vendor } from './vendors.js'
import type { WatchedStore } from './watched_store.js'

/** A read that takes longer times out. */
const MAX_READ = 10 * MINUTE
/** Most reads in progress at once. */
const MAX_READS = 3
/** Most calls that one poll may lead to. */
const MAX_CALLS = 12
/** The run ends once a store has been settled for this long. */
const SETTLED = 2 * HOUR
const MAX_QUIET = 5 * DAY
/** The run ends after this many calls: such a system never settles. */
const MAX_FLIGHTS = 600

/** A read in progress. `answer` is null if the store is read only at the end. */
interface OpenRead {
  beganAt: number
  answer: { versions: StoreVersion[] } | { error: ProviderError } | null
}

/**
 * Runs a system against the fake of a vendor through its plugin, as `Run` of the interleavings does
 * with a simulated store. Here, each call and each read is a series of requests of the plugin.
 */
class PluginRun extends SystemSide {
  readonly #store: WatchedStore
  readonly #bench: Bench
  readonly #credentials: { good: Record<string, string>; bad: Record<string, string> }
  readonly #reads: OpenRead[] = []
  #isOut = false

  constructor(
    private readonly scenario: Scenario,
    private readonly vendor: Vendor,
    plugin: Plugin,
    make: (setting: Setting) => System
  ) {
    const { options } = scenario
    const time: { bench: Bench | null } = { bench: null }
    const nowMs = () => time.bench?.nowMs ?? options.startsAt
    const store = vendor.store({ ...options, lagSeconds: vendor.lagSeconds }, nowMs)
    super(store, options.startsAt, make)
    this.#store = store
    this.#credentials = { good: vendor.credentials(), bad: vendor.credentials() }
    this.#bench = new Bench(
      {
        ...{ plugin, fake: () => store.fake, credentials: this.#credentials },
        data: { appStore: { bundleId: 'com.acme.app' } },
      },
      options.startsAt
    )
    time.bench = this.#bench
  }

  async go(): Promise<Journal> {
    for (const step of this.scenario.steps) await this.#take(step)
    await this.#quiet()
    this.journal.endedAt = this.now
    this.#bench.close()
    return this.journal
  }

  protected forgetReads(): void {
    this.#reads.length = 0
  }

  async #take(step: Step): Promise<void> {
    if (!('chance' in step)) {
      this.journal.steps.push(step)
      await this.#takeExactly(step)
      return
    }
    const random = randomFrom(step.chance)
    const milliseconds = random() < 0.5 ? 0 : Math.ceil(random() * 20)
    if (step.do !== 'decide' && step.do !== 'console') {
      this.journal.steps.push(step)
      await this.#advance(milliseconds)
      await this.#steps[step.do](random)
      return
    }
    const exact = exactly(step.do, this.#store, random)
    for (const each of [{ do: 'pass', milliseconds } as const, exact]) {
      this.journal.steps.push(each)
      await this.#takeExactly(each)
    }
  }

  async #takeExactly(step: Exact): Promise<void> {
    switch (step.do) {
      case 'pass':
        return this.#advance(step.milliseconds)
      case 'calm':
        return this.#calm(step.milliseconds)
      case 'decideExactly':
        return this.decide(step.decision)
      case 'consoleExactly':
        return this.#inConsole(step)
    }
  }

  #inConsole({ deed: action }: Extract<Exact, { do: 'consoleExactly' }>): void {
    if (!this.#store.console(action)) return
    this.journal.note(this.now, `console: ${JSON.stringify(action)}`)
  }

  readonly #steps: Record<
    Exclude<Step['do'], Exact['do'] | 'decide' | 'console'>,
    (random: Random) => void | Promise<void>
  > = {
    begin: () => void this.begin('usual'),
    beginStop: () => void this.begin('stop'),
    arrive: async (random) => {
      const flight = some(this.sent(), random)
      if (flight) await this.#arrive(flight, random, true)
    },
    answer: (random) => {
      const flight = some(
        this.awaited().filter(({ arrived, result }) => arrived && result),
        random
      )
      if (flight?.result) this.end(flight, flight.result)
    },
    lose: (random) => {
      const flight = some(this.awaited(), random)
      if (flight) this.lose(flight, random)
    },
    read: (random) => this.#beginRead(random),
    readEnd: async (random) => {
      const read = some(this.#reads, random)
      if (read) await this.#endRead(read, random)
    },
    kill: (random) => {
      this.kill(random)
      this.#credentials.good = this.vendor.credentials()
    },
    credentials: () => {
      this.#store.revoke(!this.isRevoked)
      return this.isRevoked ? this.renew() : this.revoke()
    },
    freeze: () => this.freeze(!this.isFrozen),
    outage: () => {
      this.#isOut = !this.#isOut
      this.journal.note(this.now, this.#isOut ? 'outage begins' : 'outage ends')
    },
  }

  /** A call arrives: the plugin makes its requests, between which others may act if it `isBusy`. */
  async #arrive(flight: Flight, random: Random, isBusy = false): Promise<void> {
    const began = this.now
    flight.arrived = { order: this.journal.next(), at: began }
    const ended = new AbortController()
    const between = isBusy ? troubleFrom(random) : null
    flight.result = await this.#withTrouble(flight.key, { random, between, flight, ended }, () =>
      this.#call(flight, ended.signal)
    )
    // The answer may be as stale as its declared lag.
    if (!('error' in flight.result)) {
      const { before, after } = flight.result
      const lags = [before, after].map((each) => each?.status.lagSeconds ?? 0)
      flight.arrived.at = began - Math.max(...lags) * SECOND
    }
    this.busyAt = this.now
  }

  async #call(flight: Flight, signal: AbortSignal): Promise<CallResult> {
    try {
      const store = await this.#bench.capability('appStore', { signal })
      const result = await callOf(store, flight.call as unknown as StoreCall, flight.key)
      const { before } = result
      return { ...(before && { before: named(before) }), after: named(result.after) }
    } catch (error) {
      if (isProviderError(error)) return { error }
      if (!signal.aborted) throw error
      return failure('timeout', 'Its time is over', { outcome: 'unknown' })
    }
  }

  /** Has the plugin send requests to the fake, with trouble between them. */
  async #withTrouble<Answer>(
    caller: string,
    { random, between, flight, ended }: Asking,
    work: () => Promise<Answer>
  ): Promise<Answer> {
    const store = this.#store
    const outer = { caller: store.caller, onRequest: store.onRequest }
    this.#bench.pass(this.now - this.#bench.nowMs)
    const isBusy = random() < 0.5
    let count = 0
    store.caller = caller
    store.onRequest = async () => {
      count += 1
      this.now = Math.max(this.now, this.#bench.nowMs)
      store.lag(Math.floor(store.lagSeconds * SECOND * this.scenarioLag * random()))
      if (flight && this.now > flight.deadline) {
        ended?.abort()
        store.fake.failNext('reset')
      } else if (this.#isOut) {
        store.fake.failNext({ status: isBusy ? 429 : 503 })
      } else if (between?.at === count) await this.#disturb(between, random)
    }
    try {
      return await work()
    } finally {
      Object.assign(store, outer)
      this.now = Math.max(this.now, this.#bench.nowMs)
      store.pass(this.now)
    }
  }

  /** The greatest staleness of lists in this run, as a fraction of the declared lag. */
  private get scenarioLag(): number {
    return [0, 0.1, 0.8, 0.99][this.scenario.seed % 4]
  }

  async #disturb(between: Trouble, random: Random): Promise<void> {
    const { kind } = between
    if (kind === 'failure') {
      this.journal.note(this.now, `request ${between.at}: ${JSON.stringify(between.failure)}`)
      this.#store.fake.failNext(between.failure)
    } else if (kind === 'console') {
      this.#inConsole(exactly('console', this.#store, random) as never)
    } else {
      // A stop overtakes the call between two of its requests.
      const stop = this.begin('stop')
      if (stop) await this.#arrive(stop, random)
    }
  }

  async #beginRead(random: Random): Promise<void> {
    if (this.#reads.length >= MAX_READS) return
    const read: OpenRead = { beganAt: this.now, answer: null }
    this.#reads.push(read)
    if (random() < 0.5) read.answer = await this.#read(random)
  }

  async #read(random: Random): Promise<NonNullable<OpenRead['answer']>> {
    const between = random() < 0.03 ? troubleFrom(random, 'failure') : null
    return this.#withTrouble('a read', { random, between }, async () => {
      try {
        const store = await this.#bench.capability('appStore')
        return { versions: await everyVersion(store) }
      } catch (error) {
        if (!isProviderError(error)) throw error
        return { error }
      }
    })
  }

  async #endRead(read: OpenRead, random: Random): Promise<void> {
    const result = read.answer ?? (await this.#read(random))
    this.#reads.splice(this.#reads.indexOf(read), 1)
    const { beganAt } = read
    const isLate = this.now - beganAt > MAX_READ
    const reported = isLate ? failure('timeout', 'It took too long') : result
    const order = this.journal.next()
    if ('error' in reported) {
      this.journal.failedReads.push({ order, at: this.now })
      this.system.readFailed(reported.error, instant(beganAt), instant(this.now))
    } else {
      const { versions } = reported
      this.journal.observations.push({ order, at: this.now, beganAt, versions })
      this.system.observe(versions, instant(beganAt), instant(this.now))
    }
    this.listen()
  }

  /** Advances the clock. A call that has not arrived by its deadline arrives then, or never. */
  async #advance(milliseconds: number): Promise<void> {
    const until = this.now + milliseconds
    for (;;) {
      const next = this.open
        .filter((each) => each.deadline <= until && isOpen(each))
        .sort((one, other) => one.deadline - other.deadline)
        .at(0)
      if (!next) break
      this.now = Math.max(this.now, next.deadline)
      await this.#meetDeadline(next)
    }
    this.now = Math.max(this.now, until)
    this.#store.pass(this.now)
  }

  async #meetDeadline(flight: Flight): Promise<void> {
    const random = randomFrom(this.scenario.seed ^ flight.begun.at ^ flight.deadline)
    if (mayArrive(flight)) {
      if (random() < 0.5) await this.#arrive(flight, random)
      else flight.isDropped = true
    }
    if (flight.ended || flight.isOrphan) return
    const result = flight.result && random() < 0.5 ? flight.result : null
    this.end(flight, result ?? failure('timeout', 'No answer in time', { outcome: 'unknown' }))
  }

  /** Lets the service work for a while without any trouble. */
  async #calm(milliseconds: number): Promise<void> {
    const until = this.now + milliseconds
    while (this.now < until) {
      await this.#poll()
      await this.#waitForNext(Math.min(until, this.now + 30 * MINUTE))
    }
  }

  /** Ends all trouble, and gives the system the time that it needs to settle. */
  async #quiet(): Promise<void> {
    this.journal.note(this.now, 'from now on all is quiet')
    this.#isOut = false
    if (this.isFrozen) this.freeze(false)
    if (this.isRevoked) {
      this.#store.revoke(false)
      this.renew()
    }
    const beganAt = this.now
    this.busyAt = this.now
    while (this.now - beganAt < MAX_QUIET && this.journal.flights.length < MAX_FLIGHTS) {
      await this.#poll()
      const isEarly = this.now - beganAt < HOUR
      await this.#waitForNext(this.now + (isEarly ? 10 : 60) * MINUTE)
      if (this.#isSettled()) return
    }
  }

  #isSettled(): boolean {
    if (this.now - this.busyAt < SETTLED) return false
    const isMoving = this.#store.versions.some((version) => {
      const state = this.#store.truth(version)?.state
      return state === 'waitingForReview' || state === 'inReview' || state === 'processing'
    })
    const wakesAt = this.system.wakesAt()
    return !isMoving && (wakesAt === null || Date.parse(wakesAt) > this.now + 12 * HOUR)
  }

  /** Reads the list of versions, and makes every call that is due, without trouble. */
  async #poll(): Promise<void> {
    const random = randomFrom(this.now ^ this.scenario.seed)
    for (const read of [...this.#reads]) await this.#endRead(read, random)
    const read = { beganAt: this.now, answer: null }
    this.#reads.push(read)
    await this.#advance(1 + Math.floor(random() * 2 * SECOND))
    await this.#endRead(read, random)
    for (let calls = 0; calls < MAX_CALLS; calls += 1) {
      if (!(await this.#serve(random))) return
    }
  }

  /** Ends the calls in progress and begins the next ones; false if there are none. */
  async #serve(random: Random): Promise<boolean> {
    for (const flight of this.awaited()) {
      if (!flight.arrived) await this.#arrive(flight, random)
      await this.#advance(Math.floor(random() * SECOND))
      if (flight.result && !flight.ended) this.end(flight, flight.result)
    }
    const isBegun = this.begin('stop') !== null
    return this.begin('usual') !== null || isBegun
  }

  /** Waits until the next poll, or until the system wants to act. */
  async #waitForNext(poll: number): Promise<void> {
    for (let calls = 0; calls < MAX_CALLS; calls += 1) {
      const wakesAt = this.system.wakesAt()
      const wake = wakesAt === null ? Infinity : Date.parse(wakesAt)
      if (!(wake > this.now && wake < poll)) break
      await this.#advance(wake - this.now)
      for (let more = 0; more < MAX_CALLS; more += 1) {
        if (!(await this.#serve(randomFrom(this.now)))) break
      }
    }
    if (poll > this.now) await this.#advance(poll - this.now)
  }
}

/** Runs a scenario through a plugin; answers the journal of all events. */
export function runThrough(
  scenario: Scenario,
  vendor: Vendor,
  plugin: Plugin,
  make: (setting: Setting) => System
): Promise<Journal> {
  return new PluginRun(scenario, vendor, plugin, make).go()
}
