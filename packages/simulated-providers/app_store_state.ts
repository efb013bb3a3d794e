import { MINUTE } from './durations.js'
import type { ReviewReply, UserReview } from './store_reviews.js'
import type { StoreTexts } from './store_texts.js'

/*
 * The state of an app in a simulated App Store: plain data. Instants are milliseconds since the
 * epoch.
 */

export interface AppStoreSettings {
  /** From an upload until a build can be used. */
  processingMs: number
  /** Shares of builds that are invalid, or whose processing never ends; 0 to 1. */
  invalid: number
  stuck: number
  /** The share of builds whose use of encryption a person has to declare; 0 to 1. */
  undeclared: number
  /** Fates of the first builds from CI, instead of chance. */
  fates: readonly ('valid' | 'invalid' | 'stuck')[]
  /** From a submission until its review begins, and from there until its verdict. */
  waitingMs: number
  reviewMs: number
  /** Shares of reviews that end with a rejection, of the app or of its texts alone; 0 to 1. */
  rejected: number
  metadataRejected: number
  /** Verdicts on the first submissions of every version, instead of chance. */
  verdicts: readonly Verdict[]
  /** The time a cancellation takes to become effective. */
  cancelingMs: number
  /** From a release until it is distributed everywhere. */
  distributingMs: number
  /** From creating a version until the store finds it; until then it seems not to exist. */
  appearingMs: number
  /** From a change until reads show it: versions and their rollouts lag behind. */
  lagMs: number
  /** The same for builds that are given to external testers. */
  betaWaitingMs: number
  betaReviewMs: number
  betaRejected: number
  /** Average time between reviews by users; null if there are none. */
  reviewEveryMs: number | null
}

export interface AppStoreBuild {
  id: string
  /** Seed of chance, if it is not the id. */
  drawnAs?: string
  number: string
  version: string
  uploadedAt: number
  /** When processing ends; null for a stuck build. */
  processedAt: number | null
  isInvalid: boolean
  /** Its use of encryption is declared neither in its file nor by a person yet. */
  isUndeclared?: boolean
  /** A state that a scenario gives it, whatever the time. */
  pinned: string | null
}

export type Verdict = 'approved' | 'rejected' | 'metadataRejected'

export interface Submission {
  at: number
  beginsAt: number
  endsAt: number
  verdict: Verdict
  /** When somebody requested the cancellation. */
  canceledAt: number | null
}

export interface Phasing {
  /** Spans in which it was held; the last may be open. */
  pauses: readonly { from: number; until: number | null }[]
  /** When it was released to all users ahead of schedule. */
  completedAt: number | null
}

/** The release of an approved version: by hand, automatic, or scheduled. */
export type ReleaseChoice =
  | { type: 'MANUAL' | 'AFTER_APPROVAL' }
  | { type: 'SCHEDULED'; at: number }

export interface ReviewFile {
  id: string
  name: string
  /** In bytes. */
  size: number
  sha256: string
}

export interface AppStoreVersion {
  id: string
  version: string
  buildId: string | null
  release: ReleaseChoice
  /** Null if it is released to all users at once. */
  phasing: Phasing | null
  submissions: readonly Submission[]
  /** When somebody released the approved version. */
  releasedByHandAt: number | null
  texts: readonly StoreTexts[]
  /** Spans in which it was removed from sale, the last may be open; absent if it never was. */
  offSale?: Phasing['pauses']
  /** Creation time; absent for one that always existed. */
  madeAt?: number
  /** Files for the reviewer, without their content; absent while there are none. */
  reviewFiles?: readonly ReviewFile[]
  /** A state that a scenario gives it, whatever the time. */
  pinned: string | null
}

interface TestGroup {
  id: string
  name: string
  /** Internal: needs no review. */
  internal: boolean
}

export interface BetaReview {
  buildId: string
  beginsAt: number
  endsAt: number
  isApproved: boolean
}

export interface SimulatedAppStore {
  settings: AppStoreSettings
  builds: readonly AppStoreBuild[]
  /** The oldest first; all but the last are live, or were. */
  versions: readonly AppStoreVersion[]
  /** Reviews that a scenario adds to those by chance. */
  reviews: readonly UserReview[]
  replies: readonly ReviewReply[]
  groups: readonly TestGroup[]
  distributed: readonly { buildId: string; groupId: string }[]
  betaReviews: readonly BetaReview[]
  notes: readonly { buildId: string; locale: string; text: string }[]
}

export const USUAL_APP_STORE: SimulatedAppStore = {
  settings: {
    processingMs: 15 * MINUTE,
    invalid: 0,
    stuck: 0,
    undeclared: 0,
    fates: [],
    waitingMs: 8 * 60 * MINUTE,
    reviewMs: 90 * MINUTE,
    rejected: 0.08,
    metadataRejected: 0.04,
    verdicts: [],
    cancelingMs: 2 * MINUTE,
    distributingMs: 30 * MINUTE,
    appearingMs: 0,
    lagMs: MINUTE / 4,
    betaWaitingMs: 4 * 60 * MINUTE,
    betaReviewMs: 30 * MINUTE,
    betaRejected: 0.02,
    reviewEveryMs: 6 * 60 * MINUTE,
  },
  builds: [],
  versions: [],
  reviews: [],
  replies: [],
  groups: [
    { id: 'employees', name: 'Employees', internal: true },
    { id: 'everybody', name: 'Everybody', internal: false },
  ],
  distributed: [],
  betaReviews: [],
  notes: [],
}

/** Refusals of the store, and their reasons. */
export const APP_STORE_REFUSALS = [
  'versionInFlight',
  'versionNotShown',
  'versionNotHigher',
  'versionUnknown',
  'buildTaken',
  'buildUnknown',
  'buildNotReady',
  'buildInvalid',
  'buildExpired',
  'buildMissing',
  'complianceMissing',
  'groupUnknown',
  'notEditable',
  'textTooLong',
  'notInReview',
  'notApproved',
  'notPhased',
  'notLive',
  'pauseBudgetSpent',
  'reviewUnknown',
] as const
export type Refused = (typeof APP_STORE_REFUSALS)[number]

export type Result = { store: SimulatedAppStore } | { refused: Refused }

export const refused = (why: Refused): Result => ({ refused: why })
export const isRefused = (result: Result): result is { refused: Refused } => 'refused' in result
