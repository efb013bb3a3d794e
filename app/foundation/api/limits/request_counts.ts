import { InRounds } from '../../core/in_rounds.js'

/** The key of a count, and its limits. */
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
  /** Milliseconds until one more is, 0 when one is now. */
  waitMs: number
  leftOfDay: number
  /** Time of the count, by the clock of the store. */
  nowMs: number
  /** The number of the organization's changes then, where the store knows it. */
  changes?: string
}

/**
 * Counts accepted requests over any span of one second, so that no edge between two windows lets
 * more through, and of the UTC day.
 */
export interface RequestCounts {
  /** True if it returns the organization's change number. */
  readonly reportsChanges: boolean
  take(key: string, limits: Limits): Promise<Counted>
}

/**
 * The accepted requests of a key: times within the last second with running totals, and the day.
 * The number between two times is the difference of their totals. The first time may have passed:
 * its total is the base.
 */
export interface Accepted {
  /** Milliseconds, ascending. */
  times: readonly number[]
  totals: readonly number[]
  /** Since 1970. */
  day: number
  ofDay: number
}

export const NOTHING: Accepted = { times: [], totals: [], day: 0, ofDay: 0 }

export const WINDOW_MS = 1000
export const DAY_MS = 86_400_000

/** The highest limit per second at which requests are counted by the millisecond. */
const MOST_APART = 20
/** Beyond that by this much, as if they had come at its end: so none is forgotten too early. */
const SLOT_MS = 100

export const slotMs = ({ perSecond }: Limits): number => (perSecond > MOST_APART ? SLOT_MS : 1)

/** Days are integers in databases. */
const MOST_OF_DAY = 2 ** 31 - 1
export const mostOfDay = ({ perDay }: Limits): number => Math.min(perDay ?? Infinity, MOST_OF_DAY)

export const dayOf = (nowMs: number): number => Math.floor(nowMs / DAY_MS)

/**
 * Accepts some requests, as many as the limits allow. A time that is a second ahead is from before
 * somebody set the clock back, and nothing counts any more. When it went back by less, what was
 * counted last is at the same time as what is counted now.
 */
export function accept(
  { times, totals, day, ofDay }: Accepted,
  asked: number,
  limits: Limits,
  nowMs: number
): { accepted: Accepted; taken: Taken } {
  const slot = slotMs(limits)
  const isBack = times.length > 0 && times[times.length - 1] - nowMs >= WINDOW_MS + slot - 1
  const count = isBack ? 0 : times.length
  const over = Math.min(count, upTo(times, nowMs - WINDOW_MS))
  const total = totals[count - 1] ?? 0
  const used = total - (totals[over - 1] ?? 0)
  const today = dayOf(nowMs)
  const before = day === today ? ofDay : 0
  const room = Math.min(limits.perSecond - used, mostOfDay(limits) - before)
  const granted = Math.max(0, Math.min(asked, room))
  const last = count > 0 ? times[count - 1] : -Infinity
  const at = granted === 0 && count > 0 ? last : Math.max(Math.ceil(nowMs / slot) * slot, last)
  const [from, to] = [Math.max(0, over - 1), at === last ? count - 1 : count]
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
  // Requests accepted behind it are not counted yet.
  const behind = isAccepted ? granted - 1 - place : 0
  const remaining = Math.max(0, limits.perSecond - used + behind)
  const isSecond = !isAccepted && remaining === 0
  return {
    refusedBy: isAccepted ? null : isSecond ? 'second' : 'day',
    remaining,
    waitMs: remaining > 0 ? 0 : Math.max(1, next + WINDOW_MS - nowMs),
    leftOfDay: Math.max(0, mostOfDay(limits) - ofDay + behind),
    nowMs,
    changes,
  }
}

/** Requests of one key that are counted together. */
export interface Asked {
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
  /** The time whose end makes room, where there is none now. */
  next: number
  ofDay: number
  nowMs: number
  changes?: string
}

/**
 * Counts in rounds: what comes while a round is under way is counted together in the next, each key
 * once. So a store is asked once at a time by a process, however many requests wait.
 */
export abstract class CountsInRounds implements RequestCounts {
  abstract readonly reportsChanges: boolean
  readonly #rounds = new InRounds<Omit<Asked, 'count'>, Counted>((asked) => this.#count(asked))

  take(key: string, limits: Limits): Promise<Counted> {
    return this.#rounds.ask({ key, limits })
  }

  /** @returns of each key what became of it, in that order */
  protected abstract count(asked: readonly Asked[]): Promise<readonly Taken[]>

  async #count(asked: readonly Omit<Asked, 'count'>[]): Promise<Counted[]> {
    const keys = new Map<string, Asked>()
    const places = asked.map(({ key, limits }) => {
      const known = keys.get(key)
      keys.set(key, { key, limits, count: (known?.count ?? 0) + 1 })
      return known?.count ?? 0
    })
    const taken = await this.count([...keys.values()])
    const byKey = new Map([...keys.keys()].map((key, index) => [key, taken[index]]))
    return asked.map(({ key, limits }, index) => countedOf(byKey.get(key)!, places[index], limits))
  }
}
