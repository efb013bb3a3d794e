import type { StoreVersion } from '#plugin-kit/capabilities/stores'
import type { ProviderError } from '#plugin-kit/provider_error'

/*
 * The system under test, as the driver of the interleavings and the oracle know it: nothing of its
 * inside, and all instants as ISO strings, as in the product.
 */

export type By = 'person' | 'policy' | 'guard' | 'redButton'

export type Decision = { version: string; by: By } & (
  | {
      what: 'submit'
      buildNumber: string
      phased: boolean
      fraction?: number
      release: 'manual' | 'auto'
    }
  | { what: 'withdraw' }
  | { what: 'release' }
  | { what: 'pause' }
  | { what: 'halt' }
  | { what: 'resume' }
  | { what: 'complete' }
  | { what: 'set'; percentage: number }
  /** Its release is skipped, or completed early, by force: what stops or withdraws it goes on. */
  | { what: 'close' }
  /** No takeoff is asked for any more. */
  | { what: 'stopTakeoff' }
)

export type StoreCall = { version: string } & (
  | {
      method: 'prepare'
      buildNumber: string
      phased: boolean
      fraction?: number
      release: 'manual' | 'auto'
    }
  | { method: 'submit'; onReviewInProgress: 'fail' | 'replace' }
  | { method: 'cancelReview' }
  | { method: 'release' }
  | {
      method: 'setRollout'
      to: { action: 'pause' | 'resume' | 'halt' | 'complete' } | { fraction: number }
      onReviewInProgress: 'fail' | 'replace'
    }
)

/** Calls of people, and of the service to a store, are in one of two lanes. */
export type Lane = 'usual' | 'stop'

export interface BegunCall {
  id: string
  idempotencyKey: string
  call: StoreCall
  /** Nothing of the call arrives at the store after this. */
  deadline: string
}

export type CallResult = { before?: StoreVersion; after: StoreVersion } | { error: ProviderError }

export interface System {
  /** A decision is recorded, or refused with a reason; nothing is recorded then. */
  decide(decision: Decision, now: string): { generation: number } | { refused: string }
  /**
   * Begins the next call that is due, of the usual lane or of the one for stops; null for none.
   * The system persists that it began.
   */
  beginCall(lane: Lane, now: string): BegunCall | null
  /**
   * Takes the result of a call: the version as answered, or an error. Never called when the
   * process was killed meanwhile.
   */
  endCall(id: string, result: CallResult, now: string): void
  /** Takes a list that was read. */
  observe(versions: readonly StoreVersion[], beganAt: string, now: string): void
  /** A read came to nothing. */
  readFailed(error: ProviderError, beganAt: string, now: string): void
  /** A freeze begins or ends: what a policy decided to bring a version further is taken back. */
  freeze(isFrozen: boolean, now: string): void
  /** New credentials were stored. */
  renewCredentials(now: string): void
  /** The next time to act without a cause; null while an observation or a person is awaited. */
  wakesAt(): string | null
  /** Announcements since the last call: events and entries about the store, questions and calls. */
  drain(): Announcement[]
  /** The process dies and starts: only what was persisted remains. */
  restart(): void
}

export type Announcement = { at: string; version: string } & (
  | /** "Is at 15 %": an observation. */ {
      kind: 'shown'
      state: string
      rolloutState: string | null
      percentage: number | null
    }
  | /** "Is being resumed". */ { kind: 'intention'; what: string; by: By }
  | /** Changed outside of the product. */ { kind: 'adopted'; what: string; named: string | null }
  | { kind: 'fulfilled'; generation: number; what: string }
  | { kind: 'failed'; generation: number; reason: string }
  | /** A freeze took the decision back. */ { kind: 'heldBack'; generation: number }
  | /** The review began again, for the sake of another version. */ {
      kind: 'restarted'
      cause: string
    }
  | { kind: 'question' | 'called'; about: string; message: string }
)

/** The store, as far as a system knows it when it is made. */
export interface Setting {
  kind: 'google' | 'apple'
  startsAt: string
  lagSeconds: number
}
