import type { Instant } from '#foundation/core/clock'
import type { StoreVersionState } from '#plugin-kit/capabilities/stores'
import type {
  RolloutFacts,
  StoreReviewFacts,
  SubmissionFacts,
  TakeoffFacts,
} from '#releases/engine/facts'
import { earlier, later, type SeenRollout, type SeenVersion } from './seen.js'

/** The stage of a version, which only a rejection or a withdrawal lowers. */
type Stage = 'open' | 'submitted' | 'approved' | 'released'

const STAGE: Record<StoreVersionState, Stage> = {
  preparing: 'open',
  readyForReview: 'open',
  developerRejected: 'open',
  invalidBinary: 'open',
  waitingForReview: 'submitted',
  inReview: 'submitted',
  rejected: 'submitted',
  metadataRejected: 'submitted',
  pendingRelease: 'approved',
  processing: 'approved',
  rolledOutPartially: 'released',
  halted: 'released',
  live: 'released',
  replaced: 'released',
  removed: 'released',
}

/** States in which users are offered the version and the reported rollout is its own. */
const OFFERED: readonly SeenVersion['state'][] = ['rolledOutPartially', 'halted', 'live']

const REJECTED: readonly StoreVersionState[] = ['rejected', 'metadataRejected']

/** The newest observation of a version with a known state. */
export interface KnownVersion extends SeenVersion {
  /**
   * The newest observation while users were offered the version. It is kept because stores report
   * the rollout of a replaced version as complete.
   */
  offered?: SeenVersion
}

/** The combined observations of a version, independent of their order. */
export interface Sightings {
  seen: SeenVersion
  known: KnownVersion | null
  submittedAt: Instant | null
  approvedAt: Instant | null
  releasedAt: Instant | null
}

/** Adds an observation; the order of observations does not matter. */
export function addSighting(before: Sightings | null, observation: SeenVersion): Sightings {
  const seen = later(before?.seen ?? null, observation)
  if (observation.state === 'unknown') {
    const { known, submittedAt, approvedAt, releasedAt } = before ?? NOTHING_KNOWN
    return { seen, known, submittedAt, approvedAt, releasedAt }
  }
  const reached = STAGE[observation.state]
  const first = (stages: readonly Stage[], known: Instant | null | undefined) =>
    stages.includes(reached) ? earlier(known ?? null, observation.at) : (known ?? null)
  return {
    seen,
    known: newestKnown(before?.known ?? null, observation),
    submittedAt: first(['submitted', 'approved', 'released'], before?.submittedAt),
    approvedAt: first(['approved', 'released'], before?.approvedAt),
    releasedAt: first(['released'], before?.releasedAt),
  }
}

function newestKnown(before: KnownVersion | null, observation: SeenVersion): KnownVersion {
  if (before === null) return observation
  const { offered: kept = null, ...last } = before
  const isOffered = ({ state }: SeenVersion) => OFFERED.includes(state)
  const known = later(last, observation)
  if (isOffered(known)) return known
  const one = isOffered(last) ? last : kept
  const offered = isOffered(observation) ? later(one, observation) : one
  return offered ? { ...known, offered } : known
}

const NOTHING_KNOWN = { known: null, submittedAt: null, approvedAt: null, releasedAt: null }

/** The plan for a store, as far as steps show it. */
export interface Desired {
  hasBuild: boolean
  /** A submission to the store is under way. */
  isSubmitting: boolean
  /** A release to users is under way. */
  isReleasing: boolean
  /** Why the last submission failed. */
  failure: string | null
  /** It failed because the store did not answer. */
  isAway: boolean
  /** Why the last release to users failed. */
  takeoffFailure: string | null
  /** A question that a person has to answer first, because both store and service moved. */
  question: { about: 'submission' | 'release' | 'rollout'; message: string } | null
  nextStage: { at: Instant; percentage: number } | null
}

/** The facts of one store that steps are derived from, and the times it reached them. */
export interface StoreFacts {
  submission: SubmissionFacts
  storeReview: StoreReviewFacts
  takeoff: TakeoffFacts
  rollout: RolloutFacts
  dates: Record<'submittedAt' | 'approvedAt' | 'releasedAt', Instant | null>
}

/**
 * Derives the facts of steps from observations of a store and the plan for it. Pure.
 * @param successor the version that replaces this one in the store
 */
export function storeFacts(
  sightings: Sightings | null,
  desired: Desired,
  successor: Successor | null = null
): StoreFacts {
  const known = sightings?.known ?? null
  const state = known?.state === 'unknown' ? null : (known?.state ?? null)
  const stage: Stage = state === null ? 'open' : STAGE[state]
  const isRejected = state !== null && REJECTED.includes(state)
  const isTakenBack = isRejected || state === 'invalidBinary'
  // A rejected version that is being submitted again no longer counts as rejected.
  const isResubmitting = desired.isSubmitting && isTakenBack
  // The same holds if the store did not take the new submission.
  const isOpen = isResubmitting || (desired.failure !== null && isTakenBack)
  const isSubmitted = !isOpen && stage !== 'open'
  const isApproved = stage === 'approved' || stage === 'released'
  const isReleased = stage === 'released'
  const requested = (about: string) =>
    desired.question?.about === about ? desired.question.message : null
  return {
    submission: {
      selectedBuild: desired.hasBuild || isSubmitted,
      invalidBinary: !isOpen && state === 'invalidBinary',
      submitted: isSubmitted,
      underWay: desired.isSubmitting && !isSubmitted,
      failure: isSubmitted ? null : desired.failure,
      isAway: !isSubmitted && desired.isAway,
      question: requested('submission'),
    },
    storeReview: reviewFacts(known, state, isResubmitting),
    takeoff: {
      pending: stage === 'approved',
      underWay: !isReleased && (state === 'processing' || desired.isReleasing),
      released: isReleased,
      notBefore:
        stage === 'approved' && known?.release?.method === 'scheduled' ? known.release.at : null,
      failure: stage === 'approved' ? desired.takeoffFailure : null,
      question: requested('release'),
    },
    rollout: replacedRollout(
      rolloutOf(state, known, { nextStage: desired.nextStage, question: requested('rollout') }),
      state,
      successor
    ),
    dates: {
      submittedAt: isSubmitted ? (sightings?.submittedAt ?? null) : null,
      approvedAt: isApproved ? (sightings?.approvedAt ?? null) : null,
      releasedAt: isReleased ? (sightings?.releasedAt ?? null) : null,
    },
  }
}

function reviewFacts(
  known: SeenVersion | null,
  state: StoreVersionState | null,
  isResubmitting: boolean
): StoreReviewFacts {
  const review = reviewOf(state, isResubmitting)
  if (review !== 'rejected') return { state: review }
  const subject = state === 'metadataRejected' ? 'metadata' : 'version'
  const { raw, rejection } = known!
  const reported = rejection && {
    reason: rejection.reason,
    details: rejection.details ?? undefined,
  }
  return { state: review, rejection: { of: subject, raw, ...reported } }
}

function reviewOf(
  state: StoreVersionState | null,
  isResubmitting: boolean
): StoreReviewFacts['state'] {
  if (state === null || isResubmitting) return null
  if (REJECTED.includes(state)) return 'rejected'
  if (state === 'waitingForReview') return 'waiting'
  if (state === 'inReview') return 'inReview'
  return STAGE[state] === 'open' ? null : 'approved'
}

function rolloutOf(
  state: StoreVersionState | null,
  known: KnownVersion | null,
  { nextStage, question }: Pick<RolloutFacts, 'nextStage' | 'question'>
): RolloutFacts {
  if (state === null || STAGE[state] !== 'released') {
    return { state: null, percentage: 0, nextStage: null, question }
  }
  const rollout = ownRollout(known)
  if (state === 'removed' || state === 'halted' || rollout?.state === 'halted') {
    return { state: 'halted', percentage: rollout?.percentage ?? 0, nextStage: null, question }
  }
  // A live version without a rollout, or before one begins, is live for all users.
  const isEndedBelow = state === 'replaced' && !known?.offered && isPartial(rollout)
  const isAll =
    !isEndedBelow &&
    (rollout === null || rollout.state === 'complete' || rollout.state === 'inactive')
  if ((state === 'live' || state === 'replaced') && isAll) {
    return { state: 'completed', percentage: 100, nextStage: null, question }
  }
  const percentage = rollout?.percentage ?? 0
  if (rollout?.state === 'paused') return { state: 'paused', percentage, nextStage: null, question }
  if (rollout?.state === 'complete' && !isEndedBelow) {
    return { state: 'completed', percentage: 100, nextStage: null, question }
  }
  return { state: 'active', percentage, nextStage, question }
}

const isPartial = (rollout: SeenRollout | null) =>
  rollout !== null && rollout.percentage > 0 && rollout.percentage < 100

/** A higher version in the same store. */
export interface Successor {
  version: string
  /** Users have it; else it is about to be released. */
  isReleased: boolean
}

/**
 * Marks the rollout of a version below 100 % as replaced once a higher version takes its place: the
 * store says so, or offers the higher one to users.
 */
function replacedRollout(
  rollout: RolloutFacts,
  state: StoreVersionState | null,
  successor: Successor | null
): RolloutFacts {
  if (rollout.state === null || rollout.state === 'completed') return rollout
  if (state !== 'replaced' && !successor?.isReleased) return rollout
  const { percentage } = rollout
  const replacedBy = successor?.version ?? null
  return { state: 'replaced', percentage, nextStage: null, question: null, replacedBy }
}

/** Returns whether a released version went to all users and was not taken back. */
export function wentToAll(known: KnownVersion | null): boolean {
  if (known === null || known.state === 'removed' || known.state === 'halted') return false
  if (STAGE[known.state as StoreVersionState] !== 'released') return false
  const rollout = ownRollout(known)
  return rollout === null || rollout.state === 'complete'
}

/**
 * Returns the rollout of the version itself, without what the store reports after it was replaced.
 */
export function ownRollout(known: KnownVersion | null): SeenRollout | null {
  if (known === null) return null
  return known.state === 'replaced' && known.offered ? known.offered.rollout : known.rollout
}

/**
 * Combines the facts of several stores: the slowest state, with the problems of each; null without
 * a store.
 */
export function together(all: readonly StoreFacts[]): StoreFacts | null {
  if (all.length <= 1) return all[0] ?? null
  return {
    submission: {
      selectedBuild: all.every(({ submission }) => submission.selectedBuild),
      invalidBinary: all.some(({ submission }) => submission.invalidBinary),
      submitted: all.every(({ submission }) => submission.submitted),
      underWay: all.some(({ submission }) => submission.underWay),
      failure: firstOf(all.map(({ submission }) => submission.failure)),
      isAway: all.find(({ submission }) => submission.failure)?.submission.isAway ?? false,
      question: firstOf(all.map(({ submission }) => submission.question)),
    },
    storeReview: slowest(all.map(({ storeReview }) => storeReview)),
    takeoff: {
      pending: all.some(({ takeoff }) => takeoff.pending),
      underWay: all.some(({ takeoff }) => takeoff.underWay),
      released: all.every(({ takeoff }) => takeoff.released),
      notBefore: all.reduce<Instant | null>(
        (first, { takeoff }) => earlier(first, takeoff.notBefore),
        null
      ),
      failure: firstOf(all.map(({ takeoff }) => takeoff.failure)),
      question: firstOf(all.map(({ takeoff }) => takeoff.question)),
    },
    rollout: slowestRollout(all.map(({ rollout }) => rollout)),
    dates: {
      submittedAt: all.reduce<Instant | null>(
        (at, { dates }) => earlier(at, dates.submittedAt),
        null
      ),
      approvedAt: all.every(({ dates }) => dates.approvedAt !== null)
        ? all
            .map(({ dates }) => dates.approvedAt!)
            .sort()
            .at(-1)!
        : null,
      releasedAt: all.reduce<Instant | null>(
        (at, { dates }) => earlier(at, dates.releasedAt),
        null
      ),
    },
  }
}

const firstOf = (texts: readonly (string | null | undefined)[]) =>
  texts.find((each) => typeof each === 'string') ?? null

const REVIEW_ORDER = ['rejected', null, 'waiting', 'inReview', 'approved'] as const

function slowest(reviews: readonly StoreReviewFacts[]): StoreReviewFacts {
  const first = REVIEW_ORDER.find((state) => reviews.some((each) => each.state === state)) ?? null
  return reviews.find(({ state }) => state === first) ?? { state: null }
}

const ROLLOUT_ORDER = ['halted', 'paused', 'active', null, 'replaced', 'completed'] as const

function slowestRollout(all: readonly RolloutFacts[]): RolloutFacts {
  const state = ROLLOUT_ORDER.find((each) => all.some((rollout) => rollout.state === each)) ?? null
  const slowestOnes = all.filter((rollout) => rollout.state === state)
  return slowestOnes.reduce((slow, each) => (each.percentage < slow.percentage ? each : slow))
}
