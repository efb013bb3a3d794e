import type { HostileStore } from '../../../../examples/hostile-store/src/core/index.js'
import type { StoreVersion } from '#plugin-kit/capabilities/stores'
import type { ProviderError } from '#plugin-kit/provider_error'
import type { Step } from './scenario.js'
import type { Announcement, CallResult, Decision, Lane, StoreCall } from './system.js'

/*
 * Everything that happened between a system and a store. Entries are in order, even within one
 * millisecond.
 */

export interface Decided {
  order: number
  at: number
  decision: Decision
  generation: number | null
  refused?: string
}

/** A call that was begun. */
export interface Flight {
  id: string
  /** The key that the store's history knows the call by. */
  key: string
  call: StoreCall
  /** The call as text, for comparisons. */
  text: string
  lane: Lane
  deadline: number
  begun: { order: number; at: number }
  arrived?: { order: number; at: number }
  /** The time when the system got a result, which may be that the answer was lost. */
  ended?: { order: number; at: number; error?: ProviderError }
  /** It was lost before the store, and never arrives. */
  isDropped: boolean
  /** The process was killed, so nobody takes the result. */
  isOrphan: boolean
  result?: CallResult
}

export interface Observation {
  order: number
  at: number
  beganAt: number
  versions: readonly StoreVersion[]
}

export interface Said {
  order: number
  at: number
  announcement: Announcement
}

/** A time when the system was asked for a call and had none. */
export interface Idle {
  order: number
  at: number
  lane: Lane
}

/** The true states of a store, as a run and its oracle know them. */
export type JudgedStore = Pick<
  HostileStore,
  'kind' | 'lagSeconds' | 'versions' | 'truth' | 'history'
>

export class Journal {
  readonly decided: Decided[] = []
  readonly flights: Flight[] = []
  readonly observations: Observation[] = []
  readonly said: Said[] = []
  readonly idle: Idle[] = []
  /** Times when new credentials were stored. */
  readonly renewals: { order: number; at: number }[] = []
  /** Reads that failed. */
  readonly failedReads: { order: number; at: number }[] = []
  /** Times when a freeze began or ended. */
  readonly freezes: { order: number; at: number; isFrozen: boolean }[] = []
  readonly notes: { order: number; at: number; text: string }[] = []
  /** The steps of the run, with the decisions and deeds that were drawn. */
  readonly steps: Step[] = []
  readonly startedAt: number
  endedAt = 0
  #order = 0

  constructor(
    readonly store: JudgedStore,
    startedAt: number
  ) {
    this.startedAt = startedAt
  }

  next(): number {
    this.#order += 1
    return this.#order
  }

  note(at: number, text: string): void {
    this.notes.push({ order: this.next(), at, text })
  }
}

/** Returns whether a call stops a rollout. */
export const isStopCall = (call: StoreCall) =>
  call.method === 'setRollout' &&
  'action' in call.to &&
  (call.to.action === 'halt' || call.to.action === 'pause')

export const isStop = ({ what }: Decision) => what === 'halt' || what === 'pause'

/** Returns whether a decision only ends others. */
export const isEnd = ({ what }: Decision) => what === 'close' || what === 'stopTakeoff'

/** Returns whether a decision is about the rollout, not about the stage or an end. */
export const isRollout = ({ what }: Decision) =>
  what === 'halt' || what === 'pause' || what === 'resume' || what === 'complete' || what === 'set'
