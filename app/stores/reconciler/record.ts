import type { Instant } from '#foundation/core/clock'
import type { Actor } from '#foundation/core/principal'
import type { OnReviewInProgress, UpdatePriority } from '#plugin-kit/capabilities/stores'
import type { ProviderErrorCode } from '#plugin-kit/provider_error'
import type { SeenVersion } from '../derive/seen.js'
import type { KnownVersion } from '../derive/store_facts.js'
import type { StoreType } from '../vocabulary.js'

/*
 * The record of one store: what was decided for each version in it, what the store was asked, and
 * what it was seen to show. One store is a package on Google Play, or an app and platform at Apple.
 * Plain data: `reconcile` compares the three, and nothing else does.
 */
export interface StoreRecord {
  type: StoreType
  /** Grows with every decision; a decision is known by it, and by nothing else. */
  generation: number
  /** Version of the credentials: what one set was not permitted is tried again with another. */
  credentials: number
  /** The longest that a read of this store may lag, in seconds, as its plugin declares. */
  lagSeconds: number
  /** Start of the last read of all versions; null before the first. */
  polledAt: Instant | null
  /** The reads that failed since the last one that did not; null without any. */
  pollFailure: PollFailure | null
  versions: VersionRecord[]
  /** Calls that can still arrive, and the last ones of each decision. */
  calls: CallRecord[]
}

/** Reads that failed one after the other. */
export interface PollFailure {
  /** Time of the last one. */
  at: Instant
  times: number
  code: ProviderErrorCode | 'unusable'
  message: string
  /** Version of the credentials of the last one. */
  credentials: number
}

/** One version in a store. */
export interface VersionRecord {
  version: string
  wanted: Wanted | null
  rollout: WantedRollout | null
  question: Question | null
  /** The newest observation that may be believed; null before the first. */
  seen: SeenVersion | null
  /** The same whose state is a known one: all else changes nothing. */
  known: KnownVersion | null
  /** States that a read which lags may still show. */
  past: PastState[]
}

/** A state that was the present one until an instant, by its key. */
export interface PastState {
  key: string
  until: Instant
}

/** A decision about the version: its stage. */
export interface Wanted extends Decision {
  what: 'submitted' | 'withdrawn' | 'released'
  /** State of the store at the decision, of what goes there once more; absent for what does not. */
  saw?: string
  /** For a submission: what it brings to the store. */
  how?: Staging
  /** For a takeoff of a pair: it was judged when both were ready, and nothing holds it back. */
  isOfPair?: true
}

/** A decision about the rollout of the version. */
export interface WantedRollout extends Decision {
  to: RolloutChange
  /** The rollout at the decision, as it was last seen. */
  saw: { state: string; percentage: number } | null
  /** A stop waits for no other call; absent for what does. */
  isUrgent?: boolean
  /** Why, in the words of whoever decided; absent if nobody said. */
  why?: string
}

/** A decision about a version. */
interface Decision {
  generation: number
  by: Actor
  at: Instant
  /** As `reconcile` last judged it. */
  is: 'underWay' | 'done' | 'failed'
  /** Why it failed, or what it waits for. */
  reason: string | null
  /** It failed because the store did not answer, and refused nothing; absent otherwise. */
  isAway?: true
  /** Time of the stop, skip or completion that ended it before it was done; absent without one. */
  stoppedAt?: Instant
  /** People were asked about it, and answer by the next decision. */
  isAsked?: true
}

/**
 * Returns whether a decision is still to be carried out. A failed one is retried with other
 * credentials, or once the store shows something else.
 */
export const isOpen = <Each extends Decision>(decision: Each | null): decision is Each =>
  decision !== null && decision.is !== 'done' && decision.stoppedAt === undefined

export type RolloutChange =
  | { action: 'pause' | 'resume' | 'halt' | 'complete' }
  | { action: 'set'; percentage: number }

/** The build of a submission, and how it goes to users. */
export interface Staging {
  buildNumber: string
  /** Id of the build in the store; null if it is not known. */
  buildRef: string | null
  phased: boolean
  /** Share of users that a rollout begins with, 0 to 1; the plugin's own choice without it. */
  fraction?: number
  release: 'manual' | 'auto' | { at: string }
  /** The urgency of the update in apps; absent for the store's default. */
  inAppUpdatePriority?: UpdatePriority
}

/** A contradiction between store and decision that a person resolves by the next decision. */
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

/** The lane of calls that follow each other, and the one of stops, which overtake them. */
export type Lane = 'usual' | 'stop'

/** The decision of a version that a call serves. */
export type Slot = 'wanted' | 'rollout'

export interface CallRecord {
  /** Sent with the call: a repetition of a call whose outcome is unknown has the same one. */
  idempotencyKey: string
  generation: number
  slot: Slot
  lane: Lane
  call: StoreCall
  /** From 1; of the same call for the same decision. */
  attempt: number
  /** Version of the credentials it was begun with. */
  credentials: number
  beganAt: Instant
  /** Nobody waits for its answer after this. */
  deadline: Instant
  endedAt: Instant | null
  outcome: CallOutcome | null
  /**
   * Versions in review that it may have sent for review again, until a read shows it; empty once
   * that is recorded.
   */
  restarts?: string[]
}

/** The version that an applied call answers; before it, too, where the store says that. */
export interface CallAnswer {
  before?: SeenVersion
  after: SeenVersion
}

export type CallOutcome =
  | { is: 'applied' }
  /** The answer was lost: it may have been applied, or be on its way still. */
  | { is: 'unknown'; message: string }
  | {
      is: 'refused'
      code: ProviderErrorCode | 'unusable'
      reason: string | null
      message: string
      /** Earliest time of the next attempt, for refusals that pass; null for those of rules. */
      retryAt: Instant | null
      /** The state of the store at the refusal. Only a change of it makes a retry worthwhile. */
      fingerprint: string[]
    }

/** The version in a record, made where there is none. */
export function versionIn(record: StoreRecord, version: string): VersionRecord {
  const found = record.versions.find((each) => each.version === version)
  if (found) return found
  const made = { version, wanted: null, rollout: null, question: null }
  const fresh: VersionRecord = { ...made, seen: null, known: null, past: [] }
  record.versions.push(fresh)
  return fresh
}

/** Draws the generation of a new decision. The caller holds the lock of the store. */
export function nextGeneration(record: StoreRecord): number {
  record.generation += 1
  return record.generation
}
