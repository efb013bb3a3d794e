import type { StoreType } from '../vocabulary.js'

/** The progress of one release of a pair, by its own facts. */
export interface PairSide {
  /**
   * `out`: all its stores have it with users. `left`: it was completed or skipped before that.
   * `ready`: approved, with every required step complete.
   */
  is: 'open' | 'ready' | 'out' | 'left'
  /** It was stopped, or withdrawn from its store, after the takeoff. */
  isStopped: boolean
  isWithdrawn: boolean
}

/** The reason why a takeoff of both was ended. */
export type EndOfTakeoff = 'stopped' | 'withdrawn' | 'left'

/** The next step of a pair. */
export type PairStep =
  /** Neither waits for the other any more. */
  | { is: 'over' }
  | { is: 'ended'; side: StoreType; why: EndOfTakeoff }
  /** One waits for its own takeoff: the other went out without a takeoff of both, or left. */
  | { is: 'alone'; side: StoreType }
  /** Waits for the releases that are not ready. */
  | { is: 'waits'; for: StoreType[] }
  /** Both are ready, and nobody took them off. */
  | { is: 'due' }
  /** The store of one release is being called, or is called next. */
  | { is: 'asks'; side: StoreType }

/** Google Play comes first, because a person publishes there by hand; the call at Apple follows. */
const ORDER: readonly StoreType[] = ['google', 'apple']

export const OTHER: Readonly<Record<StoreType, StoreType>> = { apple: 'google', google: 'apple' }

/** Returns the next step of a pair. Pure. */
export function pairStep(
  isTakenOff: boolean,
  sides: Readonly<Record<StoreType, PairSide>>
): PairStep {
  const waiting = ORDER.filter((each) => sides[each].is === 'open' || sides[each].is === 'ready')
  if (waiting.length === 0) return { is: 'over' }
  if (isTakenOff) {
    for (const side of ORDER) {
      const why = endOf(sides[side])
      if (why) return { is: 'ended', side, why }
    }
  } else if (waiting.length === 1) {
    return { is: 'alone', side: waiting[0] }
  }
  const open = waiting.filter((each) => sides[each].is === 'open')
  if (open.length > 0) return { is: 'waits', for: open }
  return isTakenOff ? { is: 'asks', side: waiting[0] } : { is: 'due' }
}

function endOf({ is, isStopped, isWithdrawn }: PairSide): EndOfTakeoff | null {
  if (is === 'left') return 'left'
  if (isStopped) return 'stopped'
  return isWithdrawn ? 'withdrawn' : null
}
