import type { Instant } from '#foundation/core/clock'
import type { StoreKind } from '#apps/vocabulary'
import type { ItemKind, ItemOwnerType, ItemStatus } from '../vocabulary.js'
import type {
  CreateEditReleaseType,
  ReleaseRegressionTestingStatus,
  ReleaseStatus,
} from '#releases/vocabulary'
import type { ReleaseStepType, ReleaseType } from '#workflow/vocabulary'

export interface KickoffFacts {
  /** Why the branch or the version bump failed; null when nothing failed. */
  blockedReason: string | null
  /** Name of the failed connection, if one failed: its maintainer can fix it. */
  connection?: string
  /** True when version files block the kickoff: people who may change the app can fix them. */
  isOfVersionFiles?: boolean
}

/** Counts of work items, each of which is in exactly one count; null without a source of items. */
export interface FeatureReadinessFacts {
  counts: { ready: number; notReady: number; ignored: number; missing: number } | null
}

/** Required locales with the translated share in percent; null without a source. */
export interface TranslationsFacts {
  locales: { locale: string; percentage: number }[] | null
}

/** Status of the active build of the step's workflow (`CIBuildStatus`); null when there is none. */
export interface BuildFacts {
  activeBuild: 'pending' | 'running' | 'success' | 'failed' | 'canceled' | 'skipped' | null
}

/** Status a person gave the run; null derives it from the items. */
export interface RegressionTestingFacts {
  handSet: ReleaseRegressionTestingStatus | null
}

/** Numbers of tests in the runs of an external system. */
export interface TestRunFacts {
  /** Failed or blocked tests. */
  failed: number
  untested: number
  done: number
}

/** The state of the beta build; null without one. */
export interface BetaTestingFacts {
  state: 'inReview' | 'rejected' | 'available' | null
  /** The build number; `raw` is the store's own word for the state. */
  buildNumber?: string
  raw?: string
}

/** State of screenshots or metadata. */
export interface ListingFacts {
  edited: boolean
  approved: boolean
}

/** A person's decision: approved (true) or withdrawn (false); null derives it from the items. */
export interface ApprovalsFacts {
  handSet: boolean | null
}

/**
 * The decision a person has to make after both the store and the service changed something; null
 * for none.
 */
export type StoreQuestion = string | null

/** The progress of the current run's submission. */
export interface SubmissionFacts {
  selectedBuild: boolean
  invalidBinary: boolean
  submitted: boolean
  /** True while the submission is sent and the store has not confirmed it. */
  underWay?: boolean
  /** Reason why the submission failed. */
  failure?: string | null
  /** True if the submission failed because the store could not be reached. */
  isAway?: boolean
  question?: StoreQuestion
}

/** The store's review of the current run; null if there is nothing to review. */
export interface StoreReviewFacts {
  state: 'waiting' | 'inReview' | 'rejected' | 'approved' | null
  /**
   * The rejected object, the store's own word for its state (`raw`) and its reason; absent without
   * a rejection.
   */
  rejection?: { of: 'version' | 'metadata'; raw: string; reason?: string; details?: string }
}

export interface TakeoffFacts {
  /** True while the version is approved and waits to be released. */
  pending: boolean
  /** True after the release was requested, until users have it. */
  underWay?: boolean
  released: boolean
  /** The earliest time of the release; null for no limit. */
  notBefore: Instant | null
  /** Why the version could not be released. */
  failure?: string | null
  question?: StoreQuestion
}

/**
 * A phased or staged rollout. The state is null before it begins. A `replaced` rollout ended below
 * 100 % because a higher version took its place.
 */
export interface RolloutFacts {
  state: 'active' | 'paused' | 'halted' | 'completed' | 'replaced' | null
  percentage: number
  /** The next stage that begins automatically. */
  nextStage: { at: Instant; percentage: number } | null
  /** The version that replaced it; null if unknown. */
  replacedBy?: string | null
  question?: StoreQuestion
}

/** The recorded facts of a step, by its archetype. */
export type StepPart =
  | { type: 'kickoff'; facts: KickoffFacts }
  | { type: 'featureReadiness'; facts: FeatureReadinessFacts }
  | { type: 'translations'; facts: TranslationsFacts }
  | { type: 'rollbackBuild' | 'releaseCandidate'; facts: BuildFacts }
  | { type: 'regressionTesting'; facts: RegressionTestingFacts }
  | { type: 'betaTesting'; facts: BetaTestingFacts }
  | { type: 'screenshots' | 'metadata'; facts: ListingFacts }
  | { type: 'approvals'; facts: ApprovalsFacts }
  | { type: 'submission'; facts: SubmissionFacts }
  | { type: 'storeReview'; facts: StoreReviewFacts }
  | { type: 'takeoff'; facts: TakeoffFacts }
  | { type: 'rollout'; facts: RolloutFacts }

/** A step of the release with its current run. */
export type StepFacts = {
  id: string
  stepConfigId: string
  name: string
  groupIndex: number
  position: number
  required: boolean
  /** Null if the step serves every destination. */
  destinationId: string | null
  run: { id: string; attempt: number }
} & StepPart

/** An owner of an item. `releasePilot` is the pilot of the release, whoever that is. */
interface OwnerFacts {
  type: ItemOwnerType
  id: string | null
  name: string
}

/** An item of the release. */
export interface ItemFacts {
  id: string
  stepId: string
  kind: ItemKind
  title: string
  status: ItemStatus
  required: boolean
  owners: OwnerFacts[]
  /** True if the service demands the item, and removes it itself. */
  isDemanded?: true
  /** Present for an approval item whose approvals are counted. */
  approvals?: ApprovalFacts
}

/** The progress of an approval; `givenBy` holds the ids of the people who approved. */
export interface ApprovalFacts {
  required: number
  missing: number
  givenBy: string[]
}

/** An action that the service takes by itself on a target date. */
export type ScheduledAction = 'kickoff' | 'submit' | 'release'

/** An automation that acts on a target date, and the reason why it does not act; null for none. */
interface AutomationFacts {
  action: ScheduledAction
  enabled: boolean
  heldBy: 'pause' | 'freeze' | 'train' | null
}

/** A reminder that is scheduled. */
interface ReminderFacts {
  about: ScheduledAction
  at: Instant
}

/** All facts from which the status of a release is derived, as plain data. */
export interface ReleaseFacts {
  storeKind: StoreKind
  releaseType: ReleaseType
  createType: CreateEditReleaseType
  kickedOffAt: Instant | null
  submittedAt: Instant | null
  approvedAt: Instant | null
  releasedAt: Instant | null
  /** Set when the release was completed, by hand or automatically. */
  completedAt: Instant | null
  skippedAt: Instant | null
  statusBeforeSkip: ReleaseStatus | null
  targets: { kickoffAt: Instant | null; submitAt: Instant | null; releaseAt: Instant | null }
  pilot: { id: string; name: string } | null
  automations: AutomationFacts[]
  reminders: ReminderFacts[]
  /** In the order of the workflow: by group, then by position. */
  steps: StepFacts[]
  items: ItemFacts[]
  /** Absent if no runs of tests are known. */
  testRuns?: TestRunFacts
  /** Requested cherry-picks that are not in the release yet; absent if there are none. */
  picks?: PickFacts[]
}

/** A requested cherry-pick, with the reason why it failed; null if it has not been tried. */
export interface PickFacts {
  commit: string
  failure: string | null
}

const NEUTRAL: { [T in ReleaseStepType]: () => StepPart } = {
  kickoff: () => ({ type: 'kickoff', facts: { blockedReason: null } }),
  featureReadiness: () => ({ type: 'featureReadiness', facts: { counts: null } }),
  translations: () => ({ type: 'translations', facts: { locales: null } }),
  rollbackBuild: () => ({ type: 'rollbackBuild', facts: { activeBuild: null } }),
  releaseCandidate: () => ({ type: 'releaseCandidate', facts: { activeBuild: null } }),
  regressionTesting: () => ({ type: 'regressionTesting', facts: { handSet: null } }),
  betaTesting: () => ({ type: 'betaTesting', facts: { state: null } }),
  screenshots: () => ({ type: 'screenshots', facts: { edited: false, approved: false } }),
  metadata: () => ({ type: 'metadata', facts: { edited: false, approved: false } }),
  approvals: () => ({ type: 'approvals', facts: { handSet: null } }),
  submission: () => ({
    type: 'submission',
    facts: { selectedBuild: false, invalidBinary: false, submitted: false },
  }),
  storeReview: () => ({ type: 'storeReview', facts: { state: null } }),
  takeoff: () => ({
    type: 'takeoff',
    facts: { pending: false, released: false, notBefore: null },
  }),
  rollout: () => ({ type: 'rollout', facts: { state: null, percentage: 0, nextStage: null } }),
}

/** Returns the initial facts of a new run. */
export function neutralPart(type: ReleaseStepType): StepPart {
  return NEUTRAL[type]()
}
