import {
  hostileStore,
  instant,
  randomFrom,
  Refusal,
  type HostileStore,
  type Random,
} from '../../../../examples/hostile-store/src/core/index.js'
import { HOUR, MINUTE, SECOND } from '#foundation/core/durations'
import type { StoreVersion } from '#plugin-kit/capabilities/stores'
import type { ProviderError } from '#plugin-kit/provider_error'
import { failure, isOpen, mayArrive, some } from './flights.js'
import type { Flight, Journal } from './journal.js'
import { exactly, type Exact, type Scenario, type Step } from './scenario.js'
import type { CallResult, Setting, System } from './system.js'
import { SystemSide } from './system_side.js'

/** The longest read, in milliseconds; a longer one fails. */
const MAX_READ = 10 * MINUTE
/** The most concurrent reads. */
const MAX_READS = 3
/** The most calls that one poll may lead to. */
const MAX_CALLS = 12
/** A run ends after this long without calls, in milliseconds. */
const SETTLED = 6 * HOUR
const MAX_QUIET = 5 * 24 * HOUR
/** A run ends after this many calls: the system never rests. */
const MAX_FLIGHTS = 1000

type OpenRead = { beganAt: number }

/** Runs a system against a store, in simulated time. */
class Run extends SystemSide {
  readonly #store: HostileStore
  readonly #reads: OpenRead[] = []
  #isOut = false

  constructor(
    private readonly scenario: Scenario,
    make: (setting: Setting) => System
  ) {
    const store = hostileStore(scenario.options)
    super(store, scenario.options.startsAt, make)
    this.#store = store
  }

  go(): Journal {
    for (const step of this.scenario.steps) this.#take(step)
    this.#quiet()
    this.journal.endedAt = this.now
    return this.journal
  }

  protected forgetReads(): void {
    this.#reads.length = 0
  }

  #take(step: Step): void {
    if (!('chance' in step)) {
      this.journal.steps.push(step)
      this.#takeExactly(step)
      return
    }
    const random = randomFrom(step.chance)
    // Half of all steps follow each other within one millisecond.
    const milliseconds = random() < 0.5 ? 0 : Math.ceil(random() * 20)
    if (step.do !== 'decide' && step.do !== 'console') {
      this.journal.steps.push(step)
      this.#advance(milliseconds)
      this.#steps[step.do](random)
      return
    }
    const exact = exactly(step.do, this.#store, random)
    for (const each of [{ do: 'pass', milliseconds } as const, exact]) {
      this.journal.steps.push(each)
      this.#takeExactly(each)
    }
  }

  #takeExactly(step: Exact): void {
    switch (step.do) {
      case 'pass':
        return this.#advance(step.milliseconds)
      case 'calm':
        return this.#calm(step.milliseconds)
      case 'decideExactly':
        return this.decide(step.decision)
      case 'consoleExactly': {
        if (!this.#store.console(step.deed, this.now)) return
        this.journal.note(this.now, `console: ${JSON.stringify(step.deed)}`)
      }
    }
  }

  readonly #steps: Record<
    Exclude<Step['do'], Exact['do'] | 'decide' | 'console'>,
    (random: Random) => void
  > = {
    begin: () => void this.begin('usual'),
    beginStop: () => void this.begin('stop'),
    arrive: (random) => {
      const flight = some(this.sent(), random)
      if (flight) this.#arrive(flight, random)
    },
    answer: (random) => {
      const flight = some(
        this.awaited().filter(({ arrived }) => arrived),
        random
      )
      if (flight?.result) this.end(flight, flight.result)
    },
    lose: (random) => {
      const flight = some(this.awaited(), random)
      if (flight) this.lose(flight, random)
    },
    read: () => {
      if (this.#reads.length < MAX_READS) this.#reads.push({ beganAt: this.now })
    },
    readEnd: (random) => {
      const read = some(this.#reads, random)
      if (read) this.#endRead(read, random)
    },
    kill: (random) => this.kill(random),
    credentials: () => (this.isRevoked ? this.renew() : this.revoke()),
    freeze: () => this.freeze(!this.isFrozen),
    outage: () => {
      this.#isOut = !this.#isOut
      this.journal.note(this.now, this.#isOut ? 'outage begins' : 'outage ends')
    },
  }

  #arrive(flight: Flight, random: Random): void {
    flight.arrived = { order: this.journal.next(), at: this.now }
    flight.result = this.#receive(flight, random)
    this.busyAt = this.now
  }

  #receive(flight: Flight, random: Random): CallResult {
    this.#store.pass(this.now)
    if (this.#isOut) {
      if (random() < 0.5) return failure('unavailable', 'The store is down')
      return failure('rateLimited', 'Too many requests', { retryAfterMs: 60 * SECOND })
    }
    if (this.isRevoked) return failure('unauthorized', 'The token is not known')
    try {
      return this.#store.receive(flight.call, this.now, flight.key)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return failure(error.code, error.message, { reason: error.reason })
    }
  }

  #endRead(read: OpenRead, random: Random): void {
    this.#reads.splice(this.#reads.indexOf(read), 1)
    const error = this.#readError(read, random)
    if (error) {
      this.journal.failedReads.push({ order: this.journal.next(), at: this.now })
      this.system.readFailed(error, instant(read.beganAt), instant(this.now))
      this.listen()
      return
    }
    const versions = this.#store.read(read.beganAt, this.now, random) as StoreVersion[]
    const { beganAt } = read
    this.journal.observations.push({
      order: this.journal.next(),
      at: this.now,
      beganAt,
      versions,
    })
    this.system.observe(versions, instant(beganAt), instant(this.now))
    this.listen()
  }

  #readError({ beganAt }: OpenRead, random: Random): ProviderError | null {
    if (this.now - beganAt > MAX_READ) return failure('timeout', 'It took too long').error
    if (this.#isOut) return failure('unavailable', 'The store is down').error
    if (this.isRevoked) return failure('unauthorized', 'The token is not known').error
    return random() < 0.05 ? failure('timeout', 'No list in time').error : null
  }

  /** Lets time pass. A call that has not arrived by its deadline arrives then, or never. */
  #advance(milliseconds: number): void {
    const until = this.now + milliseconds
    for (;;) {
      let next: Flight | undefined
      for (const flight of this.open) {
        const isNext = flight.deadline <= until && flight.deadline < (next?.deadline ?? Infinity)
        if (isNext && isOpen(flight)) next = flight
      }
      if (!next) break
      this.now = Math.max(this.now, next.deadline)
      this.#meetDeadline(next)
    }
    this.now = until
    this.#store.pass(until)
  }

  #meetDeadline(flight: Flight): void {
    const random = randomFrom(this.scenario.seed ^ flight.begun.at ^ flight.deadline)
    if (mayArrive(flight)) {
      if (random() < 0.5) this.#arrive(flight, random)
      else flight.isDropped = true
    }
    if (flight.ended || flight.isOrphan) return
    const result = flight.result && random() < 0.5 ? flight.result : null
    this.end(flight, result ?? failure('timeout', 'No answer in time', { outcome: 'unknown' }))
  }

  /** Lets the service work for a while without mishaps. */
  #calm(milliseconds: number): void {
    const until = this.now + milliseconds
    while (this.now < until) {
      this.#poll()
      this.#waitForNext(Math.min(until, this.now + 15 * MINUTE))
    }
  }

  /** Lets the system finish: nobody interferes any more. */
  #quiet(): void {
    this.journal.note(this.now, 'from now on all is quiet')
    this.#isOut = false
    if (this.isFrozen) this.freeze(false)
    if (this.isRevoked) this.renew()
    const beganAt = this.now
    this.busyAt = this.now
    const most = this.journal.flights.length + MAX_FLIGHTS
    while (this.now - beganAt < MAX_QUIET && this.journal.flights.length < most) {
      this.#poll()
      const isEarly = this.now - beganAt < HOUR
      this.#waitForNext(this.now + (isEarly ? 5 : 30) * MINUTE)
      if (this.#isSettled()) return
    }
  }

  #isSettled(): boolean {
    if (this.now - this.busyAt < SETTLED) return false
    const isMoving = this.journal.store.versions.some((version) => {
      const state = this.#store.truth(version)?.state
      return state === 'waitingForReview' || state === 'inReview' || state === 'processing'
    })
    const wakesAt = this.system.wakesAt()
    return !isMoving && (wakesAt === null || Date.parse(wakesAt) > this.now + 12 * HOUR)
  }

  /** Reads a list and makes every due call, without mishaps. */
  #poll(): void {
    const random = randomFrom(this.now ^ this.scenario.seed)
    for (const read of [...this.#reads]) this.#endRead(read, random)
    const read = { beganAt: this.now }
    this.#reads.push(read)
    this.#advance(1 + Math.floor(random() * 2 * SECOND))
    this.#endRead(read, random)
    for (let calls = 0; calls < MAX_CALLS; calls += 1) {
      if (!this.#serve(random)) return
    }
  }

  /** Ends calls that are under way, and makes the next one; false if there is none. */
  #serve(random: Random): boolean {
    for (const flight of this.awaited()) {
      if (!flight.arrived) this.#arrive(flight, random)
      this.#advance(Math.floor(random() * SECOND))
      if (flight.result && !flight.ended) this.end(flight, flight.result)
    }
    const isBegun = this.begin('stop') !== null
    return this.begin('usual') !== null || isBegun
  }

  /** Waits until the next poll, or until the system wants to act. */
  #waitForNext(poll: number): void {
    for (let calls = 0; calls < MAX_CALLS; calls += 1) {
      const wakesAt = this.system.wakesAt()
      const wake = wakesAt === null ? Infinity : Date.parse(wakesAt)
      if (!(wake > this.now && wake < poll)) break
      this.#advance(wake - this.now)
      for (let more = 0; more < MAX_CALLS; more += 1) {
        if (!this.#serve(randomFrom(this.now))) break
      }
    }
    if (poll > this.now) this.#advance(poll - this.now)
  }
}

/** Runs a scenario, and returns all that happened. */
export function runScenario(scenario: Scenario, make: (setting: Setting) => System): Journal {
  return new Run(scenario, make).go()
}
