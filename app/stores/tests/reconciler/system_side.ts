import { instant, type Random } from '../../../../examples/hostile-store/src/core/index.js'
import { ProviderError } from '#plugin-kit/provider_error'
import { isAwaited, isOpen, mayArrive } from './flights.js'
import { Journal, type Flight, type JudgedStore } from './journal.js'
import type { CallResult, Decision, Lane, Setting, System } from './system.js'

/** The system's side of a run: its decisions, calls, observations and announcements, in order. */
export abstract class SystemSide {
  protected readonly system: System
  /** Calls that may still reach the store, or whose result the system waits for. */
  protected open: Flight[] = []
  readonly journal: Journal
  protected now: number
  protected isRevoked = false
  protected isFrozen = false
  /** The last time of any event. */
  protected busyAt = 0

  constructor(store: JudgedStore, startsAt: number, make: (setting: Setting) => System) {
    const { kind, lagSeconds } = store
    this.journal = new Journal(store, startsAt)
    this.now = startsAt
    this.system = make({ kind, startsAt: instant(startsAt), lagSeconds })
  }

  /** Drops the reads that are under way. */
  protected abstract forgetReads(): void

  protected decide(decision: Decision): void {
    const order = this.journal.next()
    const result = this.system.decide(decision, instant(this.now))
    const isAccepted = 'generation' in result
    this.journal.decided.push({
      order,
      at: this.now,
      decision,
      generation: isAccepted ? result.generation : null,
      ...(isAccepted ? {} : { refused: result.refused }),
    })
    this.listen()
  }

  protected begin(lane: Lane): Flight | null {
    const order = this.journal.next()
    const begun = this.system.beginCall(lane, instant(this.now))
    this.listen()
    if (!begun) {
      this.journal.idle.push({ order, at: this.now, lane })
      return null
    }
    const flight: Flight = {
      id: begun.id,
      key: `call ${this.journal.flights.length + 1}`,
      call: begun.call,
      text: JSON.stringify(begun.call),
      lane,
      deadline: Math.max(this.now, Date.parse(begun.deadline)),
      begun: { order, at: this.now },
      isDropped: false,
      isOrphan: false,
    }
    this.journal.flights.push(flight)
    this.open = [...this.open.filter(isOpen), flight]
    return flight
  }

  /** Returns the calls that may still reach the store. */
  protected sent(): Flight[] {
    return this.open.filter(mayArrive)
  }

  /** Returns the calls whose result the system waits for. */
  protected awaited(): Flight[] {
    return this.open.filter(isAwaited)
  }

  protected end(flight: Flight, result: CallResult): void {
    const error = 'error' in result ? result.error : undefined
    flight.ended = { order: this.journal.next(), at: this.now, ...(error ? { error } : {}) }
    this.system.endCall(flight.id, result, instant(this.now))
    this.listen()
  }

  /** Loses the answer to a call. If the call has not arrived, it may still do so. */
  protected lose(flight: Flight, random: Random): void {
    if (!flight.arrived && random() < 0.5) flight.isDropped = true
    const [code, text] =
      random() < 0.7
        ? (['timeout', 'No answer in time'] as const)
        : (['unavailable', 'The connection broke'] as const)
    this.end(flight, { error: new ProviderError(code, text, { outcome: 'unknown' }) })
  }

  protected freeze(isFrozen: boolean): void {
    this.isFrozen = isFrozen
    this.journal.note(this.now, isFrozen ? 'a freeze begins' : 'the freeze ends')
    this.journal.freezes.push({ order: this.journal.next(), at: this.now, isFrozen })
    this.system.freeze(isFrozen, instant(this.now))
    this.listen()
  }

  protected kill(random: Random): void {
    this.journal.note(this.now, 'the process is killed and starts')
    this.forgetReads()
    for (const flight of this.awaited()) {
      flight.isOrphan = true
      if (!flight.arrived && random() < 0.4) flight.isDropped = true
    }
    this.system.restart()
    this.listen()
  }

  protected revoke(): void {
    this.isRevoked = true
    this.journal.note(this.now, 'credentials are revoked')
  }

  protected renew(): void {
    this.isRevoked = false
    this.journal.note(this.now, 'credentials are renewed')
    this.journal.renewals.push({ order: this.journal.next(), at: this.now })
    this.system.renewCredentials(instant(this.now))
    this.listen()
  }

  protected listen(): void {
    for (const announcement of this.system.drain()) {
      this.journal.said.push({ order: this.journal.next(), at: this.now, announcement })
      this.busyAt = this.now
    }
  }
}
