import { DAY } from '../../core/durations.js'
import { InRounds } from '../../core/in_rounds.js'

/** The limits of a key. */
export interface Limits {
  perSecond: number
  /** Per UTC day; null if unlimited. */
  perDay: number | null
}

/** The count of a request. A refused request does not count. */
export interface Counted {
  refusedBy: 'second' | 'day' | null
  /** Number of requests that would still be accepted now. */
  remaining: number
  /** Milliseconds until the next request is accepted; 0 if it is accepted now. */
  waitMs: number
  leftOfDay: number
  /** Time of the count, by the clock of the store. */
  nowMs: number
  /** The change number of the organization at that time, if the store `reportsChanges`. */
  changes?: string
}

/**
 * Counts accepted requests in a sliding window of one second, so that no window boundary lets more
 * through, and per UTC day.
 */
export interface RequestCounts {
  /** True if it returns the organization's change number. */
  readonly reportsChanges: boolean
  take(key: string, limits: Limits): Promise<Counted>
}

/**
 * The accepted requests of a key: times within the last second with running totals, and the count
 * of the day. The number of requests between two times is the difference of their totals. The first
 * time may be older than a second; its total is then the base of the difference.
 */
export interface Accepted {
  /** Milliseconds, ascending. */
  times: readonly number[]
  totals: readonly number[]
  /** Days since 1970. */
  day: number
  ofDay: number
}

export const NOTHING: Accepted = { times: [], totals: [], day: 0, ofDay: 0 }

export const WINDOW_MS = 1000

/** The highest limit per second at which requests are counted by the millisecond. */
const MAX_EXACT = 20
/** Above that, times are rounded up to slots of this length, so that none expires too early. */
const SLOT_MS = 100

export const slotMs = ({ perSecond }: Limits): number => (perSecond > MAX_EXACT ? SLOT_MS : 1)

/** Counts of a day are 32-bit integers in databases. */
const MAX_OF_DAY = 2 ** 31 - 1
export const mostOfDay = ({ perDay }: Limits): number => Math.min(perDay ?? Infinity, MAX_OF_DAY)

export const dayOf = (nowMs: number): number => Math.floor(nowMs / DAY)

/**
 * Accepts as many requests as the limits allow. If a stored time is a second ahead, the clock was
 * set back, and the window starts anew. If the clock was set back by less, new requests count at
 * the last stored time.
 */
export function accept(
  { times, totals, day, ofDay }: Accepted,
  requested: number,
  limits: Limits,
  nowMs: number
): { accepted: Accepted; taken: Taken } {
  const slot = slotMs(limits)
  const wasSetBack = times.length > 0 && times[times.length - 1] - nowMs >= WINDOW_MS + slot - 1
  const count = wasSetBack ? 0 : times.length
  const expired = Math.min(count, upTo(times, nowMs - WINDOW_MS))
  const total = totals[count - 1] ?? 0
  const used = total - (totals[expired - 1] ?? 0)
  const today = dayOf(nowMs)
  const before = day === today ? ofDay : 0
  const available = Math.min(limits.perSecond - used, mostOfDay(limits) - before)
  const granted = Math.max(0, Math.min(requested, available))
  const last = count > 0 ? times[count - 1] : -Infinity
  const at = granted === 0 && count > 0 ? last : Math.max(Math.ceil(nowMs / slot) * slot, last)
  const [from, to] = [Math.max(0, expired - 1), at === last ? count - 1 : count]
  const accepted = {
    times: [...times.slice(from, to), at],
    totals: [...totals.slice(from, to), total + granted],
    day: today,
    ofDay: before + granted,
  }
  const next = accepted.times[upTo(accepted.totals, total + granted - limits.perSecond)]
  const taken = { granted, used: used + granted, next, ofDay: accepted.ofDay, nowMs }
  return { accepted, taken }
}

/** Returns how many of the ascending numbers are at most `max`. */
function upTo(numbers: readonly number[], max: number): number {
  let count = 0
  while (count < numbers.length && numbers[count] <= max) count += 1
  return count
}

/**
 * Returns the count of one of several requests that were counted together.
 * @param index its index among them
 */
export function countedOf(
  { granted, used, next, ofDay, nowMs, changes }: Taken,
  index: number,
  limits: Limits
): Counted {
  const isAccepted = index < granted
  // Requests that are accepted after this one do not reduce what remains for it.
  const after = isAccepted ? granted - 1 - index : 0
  const remaining = Math.max(0, limits.perSecond - used + after)
  const isSecond = !isAccepted && remaining === 0
  return {
    refusedBy: isAccepted ? null : isSecond ? 'second' : 'day',
    remaining,
    waitMs: remaining > 0 ? 0 : Math.max(1, next + WINDOW_MS - nowMs),
    leftOfDay: Math.max(0, mostOfDay(limits) - ofDay + after),
    nowMs,
    changes,
  }
}

/** Requests of one key that are counted together. */
export interface CountedRequests {
  key: string
  count: number
  limits: Limits
}

/** The result for the requests of one key. */
export interface Taken {
  /** Number of accepted requests. */
  granted: number
  /** Number of requests that count in the second that ends now. */
  used: number
  /** If the limit is reached: the stored time whose expiry allows the next request. */
  next: number
  ofDay: number
  nowMs: number
  changes?: string
}

/**
 * Counts in batches: requests that arrive during a batch are counted together in the next one, each
 * key once. So a process sends only one query at a time to the store.
 */
export abstract class CountsInRounds implements RequestCounts {
  abstract readonly reportsChanges: boolean
  readonly #rounds = new InRounds<Omit<CountedRequests, 'count'>, Counted>((requested) =>
    this.#count(requested)
  )

  take(key: string, limits: Limits): Promise<Counted> {
    return this.#rounds.ask({ key, limits })
  }

  /** @returns the result for each key, in their order */
  protected abstract count(requested: readonly CountedRequests[]): Promise<readonly Taken[]>

  async #count(requested: readonly Omit<CountedRequests, 'count'>[]): Promise<Counted[]> {
    const keys = new Map<string, CountedRequests>()
    const indices = requested.map(({ key, limits }) => {
      const earlier = keys.get(key)
      keys.set(key, { key, limits, count: (earlier?.count ?? 0) + 1 })
      return earlier?.count ?? 0
    })
    const taken = await this.count([...keys.values()])
    const byKey = new Map([...keys.keys()].map((key, index) => [key, taken[index]]))
    return requested.map(({ key, limits }, index) =>
      countedOf(byKey.get(key)!, indices[index], limits)
    )
  }
}
