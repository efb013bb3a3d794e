import type { StoreVersion } from '#plugin-kit/capabilities/stores'
import { isStop } from './journal.js'
import type { BegunCall, Decision } from './system.js'

export interface Wanted {
  generation: number
  at: number
  decision: Decision
  isDone: boolean
  isAsked: boolean
}

export interface Seen {
  view: StoreVersion
  /** The earliest time that the view may be from. */
  asOf: number
}

export interface Call extends BegunCall {
  /** Generation of the decision about the stage when the call began. */
  stage: number
  /**
   * No other call for the version was under way meanwhile, so that its answer shows the final
   * state.
   */
  isAlone: boolean
  state: 'open' | 'unknown' | 'ended'
}

/** The state that survives the death of the process. */
export interface Kept {
  generation: number
  calls: number
  wanted: Record<string, Partial<Record<'stage' | 'rollout', Wanted>>>
  seen: Record<string, Seen>
  listAsOf: number
  /** Calls that may still reach the store. */
  underWay: Call[]
  /** By version: the time from which a view shows the results of our calls. */
  settledAt: Record<string, number>
  /** By version: the time until which a call with a lost answer may still take effect. */
  inDoubtUntil: Record<string, number>
  /** Refused calls, with the state of the store at that time. */
  refused: Record<string, string>
  notBefore: number
  failures: number
  isLockedOut: boolean
  isFrozen: boolean
  /** Reviews that began again, by version, until a view shows it. */
  restarts: Record<string, { at: number; cause: string }>
}

/** Returns the state of a system that has seen and decided nothing. */
export const nothingKept = (): Kept => ({
  generation: 0,
  calls: 0,
  wanted: {},
  seen: {},
  listAsOf: 0,
  underWay: [],
  settledAt: {},
  inDoubtUntil: {},
  refused: {},
  notBefore: 0,
  failures: 0,
  isLockedOut: false,
  isFrozen: false,
  restarts: {},
})

/** Ends the decisions about a version, except stops and withdrawals. */
export function end(kept: Kept, version: string, what: Decision['what']): void {
  const { stage, rollout } = kept.wanted[version] ?? {}
  const isEnded = ({ decision }: Wanted) =>
    what === 'close'
      ? !isStop(decision) && decision.what !== 'withdraw'
      : decision.what === 'release'
  kept.wanted[version] = {
    ...(stage && !isEnded(stage) && { stage }),
    ...(rollout && !isEnded(rollout) && { rollout }),
  }
}
