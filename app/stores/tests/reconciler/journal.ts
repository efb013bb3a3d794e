import type { HostileStore } from '../../../../examples/hostile-store/src/core/index.js'
import type { StoreVersion } from '#plugin-kit/capabilities/stores'
import type { ProviderError } from '#plugin-kit/provider_error'
import type { Step } from './scenario.js'
import type { Announcement, CallResult, Decision, Lane, StoreCall } from './system.js'

/*
 * Everything that happened between a system and a store. Entries are in order, also those of one
 * millisecond.
 */

export interface Decided {
  order: number
  at: number
  decision: Decision
  generation: number | null
  refused?: string
}

/** A call on its way. */
export interface Flight {
  id: string
  /** The key that the store's history knows the call by. */
  key: string
  call: StoreCall
  /** The call as a text, to compare it by. */
  text: string
  lane: Lane
  deadline: number
  begun: { order: number; at: number }
  arrived?: { order: number; at: number }
  /** The system has its result, which may be that there is none. */
  ended?: { order: number; at: number; error?: ProviderError }
  /** It was dropped on its way, and never arrives. */
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

/** The system was asked for a call and had none. */
export interface Idle {
  order: number
  at: number
  lane: Lane
}

/** A store as a run and its oracle know it: how it is and was, and since when. */
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
  /** New credentials were stored. */
  readonly renewals: { order: number; at: number }[] = []
  /** Reads that came to nothing. */
  readonly failedReads: { order: number; at: number }[] = []
  /** A freeze began or ended. */
  readonly freezes: { order: number; at: number; isFrozen: boolean }[] = []
  readonly notes: { order: number; at: number; text: string }[] = []
  /** The steps that led there: what was drawn of decisions and deeds stands in them. */
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

/** A call that holds a rollout. */
export const isStopCall = (call: StoreCall) =>
  call.method === 'setRollout' &&
  'action' in call.to &&
  (call.to.action === 'halt' || call.to.action === 'pause')

export const isStop = ({ what }: Decision) => what === 'halt' || what === 'pause'

/** A decision that only ends others. */
export const isEnd = ({ what }: Decision) => what === 'close' || what === 'stopTakeoff'

/** A decision about a share; the others are about the stage, or end what is decided. */
export const isRollout = ({ what }: Decision) =>
  what === 'halt' || what === 'pause' || what === 'resume' || what === 'complete' || what === 'set'
