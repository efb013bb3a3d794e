import type { RateLimit, RatePolicy } from '../plugin-kit/manifest.js'

/** The share of a budget that is kept for what a person asks for. */
const RESERVE = 0.3

/** A window is counted in so many spans. */
const SPANS = 10

/** Calls by span, oldest first; at most `SPANS + 1` of them. */
type Used = [span: number, calls: number][]

/** The usage of a budget: plain data, in memory or in a row. */
export interface BudgetState {
  used: Used
  /** The same of its shorter limit, and of that of changes, where it has them. */
  bursts?: Used
  changes?: Used[]
  /** The provider asked to be left alone until then. Milliseconds since the epoch. */
  pausedUntil: number
  /** By the provider's own count only the reserve is left, until then. */
  reservedUntil: number
}

export const UNUSED: BudgetState = { used: [], pausedUntil: 0, reservedUntil: 0 }

export type Taken =
  | { taken: true; remaining: number }
  | { taken: false; waitMs: number; why: 'budget' | 'paused' }

/** The call that a budget is asked for. */
export interface AskedCall {
  /** A person asked for it. */
  isPersons: boolean
  /** It may change something. */
  isChange: boolean
}

const spanMs = ({ perSeconds }: RateLimit) => (perSeconds * 1000) / SPANS

/** Returns the number of calls per window that are reserved for people. */
export const reserveOf = ({ requests }: Pick<RateLimit, 'requests'>) =>
  Math.floor(requests * RESERVE)

/**
 * Takes one call out of a budget: no window of `perSeconds` ever holds more than `requests`, and
 * none more than the rest beside the reserve that nobody asked for in person; the same for each
 * further limit. A pause holds up what runs by itself; a person may know better, unless the
 * provider punishes who goes on.
 * @returns the state afterwards, the same one when nothing was taken
 */
export function takeFrom(
  state: BudgetState,
  rate: Pick<RatePolicy, 'requests' | 'perSeconds' | 'bursts' | 'changes' | 'pausesPeople'>,
  nowMs: number,
  { isPersons, isChange }: AskedCall
): { state: BudgetState; taken: Taken } {
  const paused = isPersons && !rate.pausesPeople ? 0 : state.pausedUntil
  const until = Math.max(paused, isPersons ? 0 : state.reservedUntil)
  if (until > nowMs) return { state, taken: { taken: false, waitMs: until - nowMs, why: 'paused' } }
  const { bursts, changes = [] } = rate
  const count = (used: Used | undefined, limit: RateLimit) =>
    countIn(used ?? [], limit, nowMs, isPersons)
  const all = count(state.used, rate)
  const short = bursts && count(state.bursts, bursts)
  const own = isChange ? changes.map((each, index) => count(state.changes?.[index], each)) : []
  const waitMs = Math.max(...[all, ...(short ? [short] : []), ...own].map((each) => each.waitMs))
  if (waitMs > 0) return { state, taken: { taken: false, waitMs, why: 'budget' } }
  return {
    state: {
      ...state,
      used: all.used,
      ...(short && { bursts: short.used }),
      ...(own.length > 0 && { changes: own.map(({ used }) => used) }),
    },
    taken: { taken: true, remaining: all.remaining },
  }
}

/** Counts one call more against a limit. A wait of 0 means that there is room for it. */
function countIn(before: Used, limit: RateLimit, nowMs: number, isPersons: boolean) {
  const span = Math.floor(nowMs / spanMs(limit))
  // A span ahead of now is from before the clock was set back.
  const used = before.filter(([each]) => each >= span - SPANS && each <= span)
  const total = used.reduce((sum, [, calls]) => sum + calls, 0)
  const most = limit.requests - (isPersons ? 0 : reserveOf(limit))
  if (total >= most) {
    return { used, waitMs: waitFor(used, total - most + 1, limit, nowMs), remaining: 0 }
  }
  const last = used.at(-1)
  if (last?.[0] === span) used[used.length - 1] = [span, last[1] + 1]
  else used.push([span, 1])
  return { used, waitMs: 0, remaining: limit.requests - total - 1 }
}

/** Milliseconds until so many calls have left the window. */
function waitFor(used: Used, calls: number, limit: RateLimit, nowMs: number): number {
  let left = calls
  for (const [span, count] of used) {
    left -= count
    if (left <= 0) return Math.max(1, Math.ceil((span + SPANS + 1) * spanMs(limit) - nowMs))
  }
  return Math.ceil(spanMs(limit))
}

/** The provider's own count. */
export interface ProviderCount {
  /** It refused, and wants to be left alone for so long. */
  pauseMs?: number
  remaining?: number
  limit?: number
  resetMs?: number
}

/** The state once the provider has spoken; the same one when that changes nothing. */
export function heard(state: BudgetState, count: ProviderCount, nowMs: number): BudgetState {
  const { pauseMs = 0, remaining, limit, resetMs } = count
  const pausedUntil = Math.max(state.pausedUntil, nowMs + pauseMs)
  const isScarce =
    remaining !== undefined && resetMs !== undefined && remaining <= RESERVE * (limit ?? 0)
  const reservedUntil = isScarce ? nowMs + resetMs : state.reservedUntil
  const isNews = (pauseMs > 0 && pausedUntil !== state.pausedUntil) || isScarce
  return isNews ? { ...state, pausedUntil, reservedUntil } : state
}
