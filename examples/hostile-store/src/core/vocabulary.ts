/*
 * The words of the model. Instants are milliseconds since 1970, shares are 0 to 1.
 */

export type StoreKind = 'google' | 'apple'

export type State =
  | 'preparing'
  | 'processing'
  | 'readyForReview'
  | 'waitingForReview'
  | 'inReview'
  | 'rejected'
  | 'metadataRejected'
  | 'developerRejected'
  | 'invalidBinary'
  | 'pendingRelease'
  | 'rolledOutPartially'
  | 'halted'
  | 'live'
  | 'replaced'
  | 'removed'

export type OnReviewInProgress = 'fail' | 'replace'
export type Release = 'manual' | 'auto' | { at: string }
export type RolloutChange =
  | { action: 'start' | 'pause' | 'resume' | 'halt' | 'complete' }
  | { fraction: number }

/** A call of the service, as the store gets it. */
export type StoreCall = { version: string } & (
  | {
      method: 'prepare'
      buildNumber: string
      phased: boolean
      fraction?: number
      release: Release
    }
  | { method: 'submit'; onReviewInProgress: OnReviewInProgress }
  | { method: 'cancelReview' }
  | { method: 'release' }
  | { method: 'setRollout'; to: RolloutChange; onReviewInProgress: OnReviewInProgress }
)

/** A deed of a person in the vendor's console, or of a reviewer. */
export type ConsoleAction =
  | {
      what: 'halt' | 'resume' | 'complete' | 'submit' | 'withdraw' | 'release' | 'remove' | 'reject'
      version: string
    }
  | { what: 'set'; version: string; fraction: number }
  /** Presses "Send for review". */
  | { what: 'send' }
  /** The app needs its changes to be sent by hand from now on, or no longer. */
  | { what: 'sendByHand'; on: boolean }
  /** Submits a version on a track that the service does not work with. */
  | { what: 'submitOther'; track: string; version: string; build: string }
  /** Publishes a version that the service knows nothing of. */
  | { what: 'publishOther'; version: string; build: string; fraction?: number }

/** The author of a change: the service by a call, a person in the console, or the store itself. */
export type Doer = { who: 'us'; key: string } | { who: 'console' } | { who: 'store' }

export interface Rollout {
  mode: 'phased' | 'staged'
  state: 'inactive' | 'active' | 'paused' | 'halted' | 'complete'
  /** Absent of a version that was halted after it had reached all users. */
  fraction?: number
  day?: number
  startedAt?: number
  /** Whole days. */
  pausedDays?: number
}

/** All there is to know of a version at a moment. Never changed, only followed by another. */
export interface Truth {
  version: string
  track: string
  build: string
  state: State
  /** The state in the words of the vendor. */
  raw: string
  review: 'notSubmitted' | 'inReview' | 'approved' | 'rejected'
  /** Grows with every submission and with every review that begins again. */
  submission: number
  release: Release
  phased: boolean
  /** The share at which a staged rollout begins; absent if it begins with all users. */
  planned?: number
  rollout: Rollout | null
  /** The share of users that the version was given to. */
  share: number
  /** Nobody gets the version by this rollout any more. */
  stopped: boolean
  waitsForSending: boolean
}

export interface Moment {
  at: number
  by: Doer
  truth: Truth
}

export interface StoreOptions {
  kind: StoreKind
  seed: number
  startsAt: number
  /** An upper bound of the age that a list shows. */
  lagSeconds: number
  /** Bounds of the time that a review takes, in minutes. */
  reviewMinutes: readonly [number, number]
  /** The share of reviews that end with a rejection. */
  rejected: number
  /** A version that is with all users when the history begins. */
  live: { version: string; build: string } | null
  /** Builds that the store has, by number, with when they can be used. */
  builds: Readonly<Record<string, number>>
  /** Google: approved changes wait until a person publishes them. */
  managed?: boolean
  /** Google: changes wait until a person sends them for review. */
  sendByHand?: boolean
  /** Google: lists hold versions that others have replaced. */
  listsReplaced?: boolean
  /** The share of calls whose edit expires, or that meet a version which is not there yet. */
  flaky?: number
}
