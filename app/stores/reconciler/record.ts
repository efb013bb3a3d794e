import type { Instant } from '#foundation/core/clock'
import type { Actor } from '#foundation/core/principal'
import type { OnReviewInProgress, UpdatePriority } from '#plugin-kit/capabilities/stores'
import type { ProviderErrorCode } from '#plugin-kit/provider_error'
import type { SeenVersion } from '../derive/seen.js'
import type { KnownVersion } from '../derive/store_facts.js'
import type { StoreType } from '../vocabulary.js'

/*
 * The record of one store: the decisions about each version, the calls, and the observations. One
 * store is a package on Google Play, or an app and platform at Apple. Plain data, which only
 * `reconcile` compares.
 */
export interface StoreRecord {
  type: StoreType
  /** Increases with every decision, and identifies it. */
  generation: number
  /** Version of the credentials; a call refused with one version is tried again with another. */
  credentials: number
  /** The longest lag of a read, in seconds, as the plugin declares it. */
  lagSeconds: number
  /** Start of the last read of all versions; null before the first. */
  polledAt: Instant | null
  /** Failures of reads since the last success; null without any. */
  pollFailure: PollFailure | null
  versions: VersionRecord[]
  /** Calls that can still take effect, and the last ones of each decision. */
  calls: CallRecord[]
}

/** Consecutive failed reads. */
export interface PollFailure {
  /** Time of the last failure. */
  at: Instant
  times: number
  code: ProviderErrorCode | 'unusable'
  message: string
  /** Version of the credentials at the last failure. */
  credentials: number
}

/** One version in a store. */
export interface VersionRecord {
  version: string
  wanted: Wanted | null
  rollout: WantedRollout | null
  question: Question | null
  /** The newest trustworthy observation; null before the first. */
  seen: SeenVersion | null
  /** The newest trustworthy observation with a known state; others change nothing. */
  known: KnownVersion | null
  /** Earlier states that a lagging read may still show. */
  past: PastState[]
}

/** A state that was current until an instant, by its key. */
export interface PastState {
  key: string
  until: Instant
}

/** A decision about the version: its stage. */
export interface Wanted extends Decision {
  what: 'submitted' | 'withdrawn' | 'released'
  /** For a resubmission: the state of the store at the decision. */
  saw?: string
  /** For a submission: the build, and how it goes to users. */
  how?: Staging
  /**
   * It is the takeoff of a pair, which was checked when both were ready: no freeze holds it back.
   */
  isOfPair?: true
}

/** A decision about the rollout of the version. */
export interface WantedRollout extends Decision {
  to: RolloutChange
  /** The rollout at the decision, as it was last seen. */
  saw: { state: string; percentage: number } | null
  /** A stop that does not wait for other calls. */
  isUrgent?: boolean
  /** The reason that the decider gave; absent without one. */
  why?: string
}

/** A decision about a version. */
interface Decision {
  generation: number
  by: Actor
  at: Instant
  /** As `reconcile` last judged it. */
  status: 'underWay' | 'done' | 'failed'
  /** Why it failed, or what it waits for. */
  reason: string | null
  /** It failed because the store did not answer; absent otherwise. */
  isAway?: true
  /** Time of the stop, skip or completion that ended it before it was done; absent without one. */
  stoppedAt?: Instant
  /** A question to people is pending; their next decision answers it. */
  isAsked?: true
}

/**
 * Returns whether a decision is still to be carried out. A failed one is retried with other
 * credentials, or once the store shows something else.
 */
export const isOpen = <Each extends Decision>(decision: Each | null): decision is Each =>
  decision !== null && decision.status !== 'done' && decision.stoppedAt === undefined

export type RolloutChange =
  | { action: 'pause' | 'resume' | 'halt' | 'complete' }
  | { action: 'set'; percentage: number }

/** The build of a submission, and how it goes to users. */
export interface Staging {
  buildNumber: string
  /** Id of the build in the store; null if it is not known. */
  buildRef: string | null
  phased: boolean
  /** First share of the rollout, 0 to 1; absent for the plugin's own choice. */
  fraction?: number
  release: 'manual' | 'auto' | { at: string }
  /** The urgency of the update in apps; absent for the store's default. */
  inAppUpdatePriority?: UpdatePriority
}

/** A contradiction between store and decision that a person resolves by another decision. */
export interface Question {
  about: 'submission' | 'release' | 'rollout'
  message: string
  since: Instant
}

/** A call that changes the store. */
export type StoreCall = { version: string } & (
  | ({ method: 'prepare' } & Staging)
  | {
      method: 'submit'
      ref: string
      onReviewInProgress: OnReviewInProgress
      /** As it was prepared; absent in calls of an older version. */
      phased?: boolean
      fraction?: number
    }
  | { method: 'cancelReview'; ref: string }
  | { method: 'release'; ref: string }
  | {
      method: 'setRollout'
      ref: string
      to: { action: 'pause' | 'resume' | 'halt' | 'complete' } | { fraction: number }
      onReviewInProgress: OnReviewInProgress
    }
)

/** The lane of a call: usual calls run one after the other, stops overtake them. */
export type Lane = 'usual' | 'stop'

/** The decision of a version that a call serves. */
export type Slot = 'wanted' | 'rollout'

export interface CallRecord {
  /** Sent with the call; a repetition of a call with an unknown outcome has the same key. */
  idempotencyKey: string
  generation: number
  slot: Slot
  lane: Lane
  call: StoreCall
  /** Counts from 1, per call and decision. */
  attempt: number
  /** Version of the credentials it was begun with. */
  credentials: number
  beganAt: Instant
  /** The caller does not wait for an answer after this. */
  deadline: Instant
  endedAt: Instant | null
  outcome: CallOutcome | null
  /**
   * Versions in review that the call may have sent for review again, until a read shows it; empty
   * once that is recorded.
   */
  restarts?: string[]
  /** Key of a state that a read during the call shows, and that may be newer than the answer. */
  crossedBy?: string
}

/** The state of the version after an applied call, and before it if the store reports that. */
export interface CallAnswer {
  before?: SeenVersion
  after: SeenVersion
}

export type CallOutcome =
  | { kind: 'applied' }
  /** The answer was lost: the call may have been applied, or may still take effect. */
  | { kind: 'unknown'; message: string }
  | {
      kind: 'refused'
      code: ProviderErrorCode | 'unusable'
      reason: string | null
      message: string
      /** Earliest time of the next attempt, for passing refusals; null for others. */
      retryAt: Instant | null
      /** The state of the store at the refusal. Only a change of it makes a retry worthwhile. */
      fingerprint: string[]
    }

/** Returns a version of a record, and adds it if needed. */
export function versionIn(record: StoreRecord, version: string): VersionRecord {
  const found = record.versions.find((each) => each.version === version)
  if (found) return found
  const created = { version, wanted: null, rollout: null, question: null }
  const fresh: VersionRecord = { ...created, seen: null, known: null, past: [] }
  record.versions.push(fresh)
  return fresh
}

/** Assigns the generation of a new decision. The caller holds the lock of the store. */
export function nextGeneration(record: StoreRecord): number {
  record.generation += 1
  return record.generation
}
