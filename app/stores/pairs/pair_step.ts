import type { StoreType } from '../vocabulary.js'

/** The progress of one release of a pair, by its own facts. */
export interface PairSide {
  /**
   * `out`: all its stores have it with users. `left`: it was completed or skipped before that.
   * `ready`: approved, with every required step complete.
   */
  status: 'open' | 'ready' | 'out' | 'left'
  /** It was stopped, or withdrawn from its store, after the takeoff. */
  isStopped: boolean
  isWithdrawn: boolean
}

/** The reason why a takeoff of both was ended. */
export type EndOfTakeoff = 'stopped' | 'withdrawn' | 'left'

/** The next step of a pair. */
export type PairStep =
  /** Neither waits for the other any more. */
  | { kind: 'over' }
  | { kind: 'ended'; side: StoreType; why: EndOfTakeoff }
  /** One waits for its own takeoff: the other went out without a takeoff of both, or left. */
  | { kind: 'alone'; side: StoreType }
  /** Waits for the releases that are not ready. */
  | { kind: 'waits'; for: StoreType[] }
  /** Both are ready, and nobody took them off. */
  | { kind: 'due' }
  /** The store of one release is being called, or is called next. */
  | { kind: 'asks'; side: StoreType }

/** Google Play comes first, because a person publishes there by hand; the call at Apple follows. */
const ORDER: readonly StoreType[] = ['google', 'apple']

export const OTHER: Readonly<Record<StoreType, StoreType>> = { apple: 'google', google: 'apple' }

/** Returns the next step of a pair. Pure. */
export function pairStep(
  isTakenOff: boolean,
  sides: Readonly<Record<StoreType, PairSide>>
): PairStep {
  const waiting = ORDER.filter(
    (each) => sides[each].status === 'open' || sides[each].status === 'ready'
  )
  if (waiting.length === 0) return { kind: 'over' }
  if (isTakenOff) {
    for (const side of ORDER) {
      const why = endOf(sides[side])
      if (why) return { kind: 'ended', side, why }
    }
  } else if (waiting.length === 1) {
    return { kind: 'alone', side: waiting[0] }
  }
  const open = waiting.filter((each) => sides[each].status === 'open')
  if (open.length > 0) return { kind: 'waits', for: open }
  return isTakenOff ? { kind: 'asks', side: waiting[0] } : { kind: 'due' }
}

function endOf({ status, isStopped, isWithdrawn }: PairSide): EndOfTakeoff | null {
  if (status === 'left') return 'left'
  if (isStopped) return 'stopped'
  return isWithdrawn ? 'withdrawn' : null
}
