import type { StoreVersion } from '#plugin-kit/capabilities/stores'
import type { ProviderError } from '#plugin-kit/provider_error'

/*
 * The interface of the system under test, as the runs and the oracle see it. All instants are ISO
 * strings, as in the product.
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
  /** The release is skipped, or completed early: only stops and withdrawals go on. */
  | { what: 'close' }
  /** The takeoff is ended. */
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

/** The two lanes of calls to a store. */
export type Lane = 'usual' | 'stop'

export interface BegunCall {
  id: string
  idempotencyKey: string
  call: StoreCall
  /** The call does not reach the store after this. */
  deadline: string
}

export type CallResult = { before?: StoreVersion; after: StoreVersion } | { error: ProviderError }

export interface System {
  /** Records a decision, or refuses it with a reason. */
  decide(decision: Decision, now: string): { generation: number } | { refused: string }
  /**
   * Begins the next call that is due, of the usual lane or of the one for stops; null for none.
   * The system persists that it began.
   */
  beginCall(lane: Lane, now: string): BegunCall | null
  /**
   * Takes the result of a call: the version as answered, or an error. Not called if the process was
   * killed meanwhile.
   */
  endCall(id: string, result: CallResult, now: string): void
  /** Takes a list that was read. */
  observe(versions: readonly StoreVersion[], beganAt: string, now: string): void
  /** Takes the failure of a read. */
  readFailed(error: ProviderError, beganAt: string, now: string): void
  /**
   * Begins or ends a freeze, in which decisions of a policy that move a version forward are taken
   * back.
   */
  freeze(isFrozen: boolean, now: string): void
  /** Tells the system that new credentials were stored. */
  renewCredentials(now: string): void
  /**
   * Returns the next time to act without a cause; null while it waits for an observation or a
   * person.
   */
  wakesAt(): string | null
  /**
   * Returns the announcements since the last call: events and entries about the store, questions
   * and calls of people.
   */
  drain(): Announcement[]
  /** Restarts the process: only persisted state remains. */
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

/** The properties of the store that a system knows at first. */
export interface Setting {
  kind: 'google' | 'apple'
  startsAt: string
  lagSeconds: number
}
