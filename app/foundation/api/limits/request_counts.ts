import { InRounds } from '../../core/in_rounds.js'

/** What is counted of whom, and how much of it there may be. */
export interface Limits {
  perSecond: number
  /** By UTC; null where days are not counted. */
  perDay: number | null
}

/** How a request was counted. One that is refused does not count. */
export interface Counted {
  refusedBy: 'second' | 'day' | null
  /** How many more are accepted now. */
  remaining: number
  /** Milliseconds until one more is, 0 when one is now. */
  waitMs: number
  leftOfDay: number
  /** When it was counted, by the clock of the store. */
  nowMs: number
  /** The number of the organization's changes then, where the store knows it. */
  changes?: string
}

/**
 * Counts accepted requests over any span of one second, so that no edge between two windows lets
 * more through, and of the UTC day.
 */
export interface RequestCounts {
  /** Whether it tells the number of changes of the organization it counts. */
  readonly tellsChanges: boolean
  take(key: string, limits: Limits): Promise<Counted>
}

/** What was accepted of a key: how many at which time of the last second, and of which day. */
export interface Accepted {
  /** Milliseconds, in no order. */
  at: Readonly<Record<string, number>>
  /** Since 1970. */
  day: number
  ofDay: number
}

export const NOTHING: Accepted = { at: {}, day: 0, ofDay: 0 }

const WINDOW_MS = 1000
const DAY_MS = 86_400_000

/** Up to which limit of a second requests are told apart by the millisecond. */
export const MOST_APART = 20
/** Beyond that by this much, as if they had come at its end: so none is forgotten too early. */
export const SLOT_MS = 100

/** Days are integers in databases. */
const MOST_OF_DAY = 2 ** 31 - 1
export const mostOfDay = ({ perDay }: Limits): number => Math.min(perDay ?? Infinity, MOST_OF_DAY)

export const dayOf = (nowMs: number): number => Math.floor(nowMs / DAY_MS)

/**
 * Accepts some requests, as many as the limits allow. Clocks differ by less than a second: a time
 * further ahead is from before somebody set the clock back, and counts no more.
 */
export function accept(
  { at, day, ofDay }: Accepted,
  asked: number,
  limits: Limits,
  nowMs: number
): { accepted: Accepted; granted: number } {
  const today = dayOf(nowMs)
  const before = day === today ? ofDay : 0
  const recent = Object.entries(at).filter(([time]) => Math.abs(nowMs - Number(time)) < WINDOW_MS)
  const left: Record<string, number> = Object.fromEntries(recent)
  const room = Math.min(limits.perSecond - sum(left), mostOfDay(limits) - before)
  const granted = Math.max(0, Math.min(asked, room))
  const slot =
    limits.perSecond > MOST_APART ? Math.ceil(nowMs / SLOT_MS) * SLOT_MS : Math.floor(nowMs)
  if (granted > 0) left[slot] = (left[slot] ?? 0) + granted
  return { accepted: { at: left, day: today, ofDay: before + granted }, granted }
}

const sum = (at: Accepted['at']) => Object.values(at).reduce((all, each) => all + each, 0)

/**
 * How one of those that were counted together stands.
 * @param place its place among them, from 0
 */
export function countedOf(
  { at, ofDay }: Accepted,
  granted: number,
  place: number,
  limits: Limits,
  nowMs: number
): Counted {
  const isAccepted = place < granted
  // Who was accepted behind it is not counted yet.
  const behind = isAccepted ? granted - 1 - place : 0
  const used = sum(at) - behind
  const remaining = Math.max(0, limits.perSecond - used)
  const isSecond = !isAccepted && remaining === 0
  return {
    refusedBy: isAccepted ? null : isSecond ? 'second' : 'day',
    remaining,
    waitMs: remaining > 0 ? 0 : waitFor(at, used - limits.perSecond + 1, nowMs),
    leftOfDay: Math.max(0, mostOfDay(limits) - ofDay + behind),
    nowMs,
  }
}

/** Milliseconds until so many of the oldest are over. */
function waitFor(at: Accepted['at'], count: number, nowMs: number): number {
  let over = 0
  const times = Object.keys(at)
    .map(Number)
    .sort((one, other) => one - other)
  for (const time of times) {
    over += at[time]
    if (over >= count) return Math.max(1, time + WINDOW_MS - nowMs)
  }
  return WINDOW_MS
}

/** Requests of one key that are counted together. */
export interface Asked {
  key: string
  count: number
  limits: Limits
}

/** What was accepted of a key once these are counted, and how many of them were. */
export interface Taken {
  accepted: Accepted
  granted: number
  nowMs: number
  changes?: string
}

/**
 * Counts in rounds: what comes while a round is under way is counted together in the next, each key
 * once. So a store is asked once at a time by a process, however many requests wait.
 */
export abstract class CountsInRounds implements RequestCounts {
  abstract readonly tellsChanges: boolean
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
    return asked.map(({ key, limits }, index) => {
      const { accepted, granted, nowMs, changes } = byKey.get(key)!
      return { ...countedOf(accepted, granted, places[index], limits, nowMs), changes }
    })
  }
}
