import { DAY } from '../../core/durations.js'
import { InRounds } from '../../core/in_rounds.js'

/** The limits of a key. */
export interface Limits {
  perSecond: number
  /** By UTC; null if days are not counted. */
  perDay: number | null
}

/** The count of a request. A refused request does not count. */
export interface Counted {
  refusedBy: 'second' | 'day' | null
  /** Number of further requests that are accepted now. */
  remaining: number
  /** Milliseconds until a further request is accepted; 0 if one is accepted now. */
  waitMs: number
  leftOfDay: number
  /** Time of the count, by the clock of the store. */
  nowMs: number
  /** The change number of the organization at that time, if the store `reportsChanges`. */
  changes?: string
}

/**
 * Counts accepted requests over a sliding second, so that no boundary between windows lets more
 * through, and over the UTC day.
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
/** Above that, times are rounded up to slots of this length, so none is forgotten too early. */
const SLOT_MS = 100

export const slotMs = ({ perSecond }: Limits): number => (perSecond > MAX_EXACT ? SLOT_MS : 1)

/** Counts of a day are 32-bit integers in databases. */
const MAX_OF_DAY = 2 ** 31 - 1
export const mostOfDay = ({ perDay }: Limits): number => Math.min(perDay ?? Infinity, MAX_OF_DAY)

export const dayOf = (nowMs: number): number => Math.floor(nowMs / DAY)

/**
 * Accepts as many requests as the limits allow. A stored time that is a second ahead is from before
 * the clock was set back; then the second begins anew. If the clock went back by less, the new
 * requests count at the last stored time.
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
  const room = Math.min(limits.perSecond - used, mostOfDay(limits) - before)
  const granted = Math.max(0, Math.min(requested, room))
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

/** Returns how many of some ascending numbers are at most `most`. */
function upTo(numbers: readonly number[], most: number): number {
  let count = 0
  while (count < numbers.length && numbers[count] <= most) count += 1
  return count
}

/**
 * Returns the count of one of several requests that were counted together.
 * @param place its index among them
 */
export function countedOf(
  { granted, used, next, ofDay, nowMs, changes }: Taken,
  place: number,
  limits: Limits
): Counted {
  const isAccepted = place < granted
  // From its own view, the requests accepted after it are not counted yet.
  const after = isAccepted ? granted - 1 - place : 0
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
  /** The stored time that makes room once it is a second old, if there is no room now. */
  next: number
  ofDay: number
  nowMs: number
  changes?: string
}

/**
 * Counts in rounds: requests that arrive during a round are counted together in the next one, each
 * key once. So a process has only one query to the store at a time, however many requests wait.
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
    const places = requested.map(({ key, limits }) => {
      const known = keys.get(key)
      keys.set(key, { key, limits, count: (known?.count ?? 0) + 1 })
      return known?.count ?? 0
    })
    const taken = await this.count([...keys.values()])
    const byKey = new Map([...keys.keys()].map((key, index) => [key, taken[index]]))
    return requested.map(({ key, limits }, index) =>
      countedOf(byKey.get(key)!, places[index], limits)
    )
  }
}
