import { MINUTE } from './durations.js'
import type { ReviewReply, UserReview } from './store_reviews.js'
import type { StoreTexts } from './store_texts.js'

/*
 * The state of an app in a simulated Google Play: plain data. Instants are milliseconds since the
 * epoch.
 */

export interface PlaySettings {
  /** From an upload until a bundle can be released. */
  processingMs: number
  /** Lifetime of an edit that is not committed. */
  editLifeMs: number
  /** From a submission until its verdict, in production and on testing tracks. */
  reviewMs: number
  testReviewMs: number
  /**
   * The share of reviews that end with a rejection, 0 to 1; `verdicts` fixes the first ones of each
   * release in production.
   */
  rejected: number
  verdicts: readonly ('approved' | 'rejected')[]
  /** The time from a commit until lists of releases show it. */
  lagMs: number
  /**
   * Changes are sent for review by hand only, and each commit has to say so; if false, none may say
   * so.
   */
  isSentByHand: boolean
  /**
   * Approved changes wait until a person publishes them in the console; null leaves it to each
   * commit.
   */
  managedPublishing: boolean | null
  /** Average time between reviews by users; null if there are none. */
  reviewEveryMs: number | null
  /** The highest version code before the world began, which chance ignores. */
  codesBefore: number
}

interface PlayTrack {
  id: string
  name: string
  /** For internal testers: needs no review. */
  internal: boolean
}

export interface PlayBundle {
  id: string
  versionCode: number
  versionName: string
  uploadedAt: number
  /** Null for one whose processing never ends. */
  processedAt: number | null
  /** A state that a scenario gives it, whatever the time. */
  pinned: string | null
}

export type TrackStatus = 'draft' | 'inProgress' | 'halted' | 'completed'

/** A release as an edit has it. */
export interface TrackRelease {
  versionCodes: readonly number[]
  name: string | null
  status: TrackStatus
  /** Share of the users, above 0 and below 1; null unless it is staged. */
  userFraction: number | null
  notes: readonly { language: string; text: string }[]
  /** 0 to 5; absent for 0. */
  inAppUpdatePriority?: number
}

export interface PlaySubmission {
  at: number
  endsAt: number
  isApproved: boolean
}

/** The progress of a release's rollout. */
export type Rollout = Pick<TrackRelease, 'status' | 'userFraction'>

/** A release as the store has it. */
export interface PlayRelease extends TrackRelease {
  id: string
  track: string
  /**
   * The rollout that a commit without sending set for a published release: edits show it, users
   * have the old one until it is sent. Absent or null for none.
   */
  unsent?: Rollout | null
  /** Commits, and the resulting state of the review, oldest first. */
  history: readonly {
    at: number
    status: TrackStatus
    userFraction: number | null
    /** Absent in states that were stored before this member existed. */
    submission?: PlaySubmission | null
    unsent?: Rollout | null
  }[]
  /** Null for a draft, and for what was not sent for review. */
  submission: PlaySubmission | null
  /** Number of submissions. */
  attempts: number
  /** Waits after its approval until somebody publishes it. */
  isManaged: boolean
  /** When somebody published it. */
  publishedByHandAt: number | null
  /** A state that a scenario gives it, whatever the time. */
  pinned: string | null
}

export interface PlayEdit {
  id: string
  expiresAt: number
  /** It was deleted or committed, or another edit was opened or committed. */
  isDeleted: boolean
  /** The tracks that it changes. */
  tracks: Readonly<Record<string, readonly TrackRelease[]>>
  listings: readonly StoreTexts[]
}

export interface SimulatedPlay {
  settings: PlaySettings
  tracks: readonly PlayTrack[]
  bundles: readonly PlayBundle[]
  /** The oldest first. */
  releases: readonly PlayRelease[]
  edits: readonly PlayEdit[]
  listings: readonly StoreTexts[]
  reviews: readonly UserReview[]
  replies: readonly ReviewReply[]
  /** It was never published, so it accepts only drafts. */
  isDraftApp: boolean
  /** Tracks that had a release to all users before the world began. */
  hasBeenOut: readonly string[]
}

export const PRODUCTION = 'production'

export const USUAL_PLAY: SimulatedPlay = {
  settings: {
    processingMs: 5 * MINUTE,
    editLifeMs: 60 * MINUTE,
    reviewMs: 5 * 60 * MINUTE,
    testReviewMs: 60 * MINUTE,
    rejected: 0.05,
    verdicts: [],
    lagMs: MINUTE / 2,
    isSentByHand: false,
    managedPublishing: null,
    reviewEveryMs: 6 * 60 * MINUTE,
    codesBefore: 0,
  },
  tracks: [
    { id: 'internal', name: 'Internal testing', internal: true },
    { id: 'alpha', name: 'Closed testing', internal: false },
    { id: 'beta', name: 'Open testing', internal: false },
    { id: PRODUCTION, name: 'Production', internal: false },
  ],
  bundles: [],
  releases: [],
  edits: [],
  listings: [],
  reviews: [],
  replies: [],
  isDraftApp: false,
  hasBeenOut: ['internal', 'alpha', 'beta', PRODUCTION],
}

/** Refusals of the store, and their reasons. */
export const PLAY_REFUSALS = [
  'editUnknown',
  'editDeleted',
  'editExpired',
  'trackUnknown',
  'versionCodeTaken',
  'versionCodeTwice',
  'buildUnknown',
  'buildNotReady',
  'buildInvalid',
  'fractionInvalid',
  'fractionNotAllowed',
  'statusNotAllowed',
  'textTooLong',
  'draftAppOnly',
  'firstNotStaged',
  'firstNotHalted',
  'fullyReleased',
  'notUpgradable',
  'reviewInProgress',
  'notSentAutomatically',
  'sentAutomatically',
  'notApproved',
  'reviewUnknown',
] as const
export type PlayRefused = (typeof PLAY_REFUSALS)[number]

/** The store after an action, or the reason of a refusal. */
export type PlayResult =
  | { store: SimulatedPlay }
  | {
      refused: PlayRefused
      /** The store after a refusal that deletes the edit. */
      store?: SimulatedPlay
    }

export const playRefused = (why: PlayRefused): PlayResult => ({ refused: why })
export const isPlayRefused = (
  result: PlayResult
): result is Extract<PlayResult, { refused: PlayRefused }> => 'refused' in result
