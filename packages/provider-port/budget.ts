import type { RateLimit, RatePolicy } from '../plugin-kit/manifest.js'

/** The share of a budget that is reserved for calls on behalf of a person. */
const RESERVE = 0.3

/** A window is counted in this many spans. */
const SPANS = 10

/** Calls by span, oldest first; at most `SPANS + 1` of them. */
type Used = [span: number, calls: number][]

/** The usage of a budget: plain data, in memory or in a row. */
export interface BudgetState {
  used: Used
  /** Calls counted by the burst limit and by each limit on changes, if the policy has them. */
  bursts?: Used
  changes?: Used[]
  /** The provider asked for no calls until then. Milliseconds since the epoch. */
  pausedUntil: number
  /**
   * Until then, only the reserve is left by the provider's own count. Milliseconds since the epoch.
   */
  reservedUntil: number
}

export const UNUSED: BudgetState = { used: [], pausedUntil: 0, reservedUntil: 0 }

export type Taken =
  | { taken: true; remaining: number }
  | { taken: false; waitMs: number; why: 'budget' | 'paused' }

/** The properties of a call that matter for its budget. */
export interface AskedCall {
  /** A person waits for the call. */
  isForPerson: boolean
  /** The call may make a change. */
  isChange: boolean
}

const spanMs = ({ perSeconds }: RateLimit) => (perSeconds * 1000) / SPANS

/** Returns the number of calls per window that are reserved for people. */
export const reserveOf = ({ requests }: Pick<RateLimit, 'requests'>) =>
  Math.floor(requests * RESERVE)

/**
 * Takes one call out of a budget. No window of `perSeconds` ever holds more than `requests` calls,
 * and background calls cannot use the reserve; each further limit works alike. A pause stops
 * background calls, and those of people only if the provider punishes further calls.
 * @returns the new state, or the same object if nothing was taken
 */
export function takeFrom(
  state: BudgetState,
  rate: Pick<RatePolicy, 'requests' | 'perSeconds' | 'bursts' | 'changes' | 'pausesPeople'>,
  nowMs: number,
  { isForPerson, isChange }: AskedCall
): { state: BudgetState; taken: Taken } {
  const paused = isForPerson && !rate.pausesPeople ? 0 : state.pausedUntil
  const until = Math.max(paused, isForPerson ? 0 : state.reservedUntil)
  if (until > nowMs) return { state, taken: { taken: false, waitMs: until - nowMs, why: 'paused' } }
  const { bursts, changes = [] } = rate
  const count = (used: Used | undefined, limit: RateLimit) =>
    countIn(used ?? [], limit, nowMs, isForPerson)
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

/** Counts one more call against a limit. A wait of 0 means that it was counted. */
function countIn(before: Used, limit: RateLimit, nowMs: number, isForPerson: boolean) {
  const span = Math.floor(nowMs / spanMs(limit))
  // A span in the future stems from before the clock was set back.
  const used = before.filter(([each]) => each >= span - SPANS && each <= span)
  const total = used.reduce((sum, [, calls]) => sum + calls, 0)
  const most = limit.requests - (isForPerson ? 0 : reserveOf(limit))
  if (total >= most) {
    return { used, waitMs: waitFor(used, total - most + 1, limit, nowMs), remaining: 0 }
  }
  const last = used.at(-1)
  if (last?.[0] === span) used[used.length - 1] = [span, last[1] + 1]
  else used.push([span, 1])
  return { used, waitMs: 0, remaining: limit.requests - total - 1 }
}

/** Returns the milliseconds until a number of calls have left the window. */
function waitFor(used: Used, calls: number, limit: RateLimit, nowMs: number): number {
  let left = calls
  for (const [span, count] of used) {
    left -= count
    if (left <= 0) return Math.max(1, Math.ceil((span + SPANS + 1) * spanMs(limit) - nowMs))
  }
  return Math.ceil(spanMs(limit))
}

/** The provider's own count of its limit. */
export interface ProviderCount {
  /** Milliseconds of the pause that the provider asked for in a refusal. */
  pauseMs?: number
  remaining?: number
  limit?: number
  resetMs?: number
}

/** Returns the state after the provider reported its count; the same object if nothing changes. */
export function heard(state: BudgetState, count: ProviderCount, nowMs: number): BudgetState {
  const { pauseMs = 0, remaining, limit, resetMs } = count
  const pausedUntil = Math.max(state.pausedUntil, nowMs + pauseMs)
  const isScarce =
    remaining !== undefined && resetMs !== undefined && remaining <= RESERVE * (limit ?? 0)
  const reservedUntil = isScarce ? nowMs + resetMs : state.reservedUntil
  const isNews = (pauseMs > 0 && pausedUntil !== state.pausedUntil) || isScarce
  return isNews ? { ...state, pausedUntil, reservedUntil } : state
}
