import { instantOf, type Instant } from '#foundation/core/clock'
import type {
  BetaState,
  StoreBuild,
  StoreVersion,
  StoreVersionState,
} from '#plugin-kit/capabilities/stores'

/** An observed rollout, in Tarmac's terms and, as `raw`, in the store's. */
export interface SeenRollout {
  state: 'inactive' | 'active' | 'paused' | 'halted' | 'complete'
  raw: string
  percentage: number
  day: number | null
  startedAt: Instant | null
  pausedDays: number
}

/** One observation of a version in a store. Plain data, members always in this order. */
export interface SeenVersion {
  /** When the read began. */
  at: Instant
  /**
   * Maximum staleness of the content when the read began, in seconds; 0 for a response to a change.
   */
  lagSeconds: number
  /** Key of the call whose response this is; null for a read. */
  ofCall: string | null
  state: StoreVersionState | 'unknown'
  raw: string
  storeRef: string
  version: string
  name: string | null
  track: string | null
  buildNumbers: string[]
  review: 'notSubmitted' | 'inReview' | 'approved' | 'rejected' | null
  submissionId: string | null
  release: { method: 'manual' | 'auto' | 'scheduled'; at: Instant | null } | null
  rollout: SeenRollout | null
  updatePriority: number | null
  /** The change has no effect until a person sends it for review in the console. */
  waitsForSending: boolean
  /** The reason for a rejection; null without one, or if the store gives none. */
  rejection: Rejection | null
}

/** Returns the track of an observed version; a store without tracks has one for all its users. */
export const trackOfSeen = (seen: Pick<SeenVersion, 'track'> | null): string =>
  seen?.track ?? 'production'

export interface Rejection {
  reason: string
  details: string | null
}

/** Maximum lengths of a stored rejection, in characters. */
export const MAX_REJECTION_LENGTHS = { reason: 300, details: 4000 } as const

/** Default lag of plugins that declare none, in seconds. */
const UNDECLARED_LAG = 2 * 60 * 60

/** One observation of a build in a store, or in beta. */
export interface SeenBuild {
  at: Instant
  state: 'processing' | 'ready' | 'invalid' | 'expired' | 'unknown'
  raw: string
  storeRef: string
  /** The state of beta testing, null if it is unknown; absent if the store does not report it. */
  testing?: { state: BetaState | null; raw: string }
}

/** Percentage of users on each day of Apple's phased release. */
export const LADDER = [1, 2, 5, 10, 20, 50, 100] as const

/**
 * Returns an observation of a version from a plugin's response.
 * @param beganAt time of the request; a plugin with a cache may report an earlier time
 */
export function seenVersion(reported: StoreVersion, beganAt: Instant): SeenVersion {
  const { status, review, release, rollout } = reported
  const declared = instantOf(status.beganAt)
  return {
    at: declared !== null && declared < beganAt ? declared : beganAt,
    lagSeconds: status.lagSeconds >= 0 ? Math.ceil(status.lagSeconds) : UNDECLARED_LAG,
    ofCall: null,
    state: status.state,
    raw: status.raw.slice(0, 64),
    storeRef: reported.id,
    version: reported.version.slice(0, 64),
    name: reported.name?.slice(0, 200) ?? null,
    track: reported.track?.slice(0, 100) ?? null,
    buildNumbers: [...(reported.buildNumbers ?? [])].map((each) => each.slice(0, 64)),
    review: !review || review.state === 'unknown' ? null : review.state,
    submissionId: reported.submissionId?.slice(0, 200) ?? null,
    release: release ? { method: release.method, at: instantOf(release.at) } : null,
    rollout: rollout ? seenRollout(rollout, status.state === 'replaced') : null,
    updatePriority: reported.updatePriority ?? null,
    waitsForSending: reported.waitsForSending ?? false,
    rejection: isRejected(status.state) ? rejectionOf(reported) : null,
  }
}

const isRejected = (state: SeenVersion['state']) =>
  state === 'rejected' || state === 'metadataRejected'

function rejectionOf({ rejection }: StoreVersion): Rejection | null {
  const reason = rejection?.reason.trim().slice(0, MAX_REJECTION_LENGTHS.reason)
  if (!reason) return null
  return {
    reason,
    details: rejection?.details?.trim().slice(0, MAX_REJECTION_LENGTHS.details) || null,
  }
}

function seenRollout(
  reported: NonNullable<StoreVersion['rollout']>,
  isReplaced: boolean
): SeenRollout {
  const day =
    reported.day !== undefined && reported.day >= 1 && reported.day <= 7 ? reported.day : null
  return {
    state: reported.state,
    raw: (reported.raw ?? reported.state).slice(0, 64),
    percentage: percentageOf(reported, day, isReplaced),
    day,
    startedAt: instantOf(reported.startedAt),
    pausedDays: Math.max(0, Math.trunc(reported.pausedDays ?? 0)),
  }
}

function percentageOf(
  { state, fraction }: NonNullable<StoreVersion['rollout']>,
  day: number | null,
  isReplaced: boolean
) {
  // A replaced version keeps its share, although the store calls its rollout complete.
  const isPartial = isReplaced && fraction !== undefined
  if (state === 'complete' && !isPartial) return 100
  // A halted rollout without a fraction had reached all users.
  if (state === 'halted' && fraction === undefined) return 100
  // Rounds away floating-point errors of the fraction.
  if (fraction !== undefined) return Math.min(100, Math.max(0, Math.round(fraction * 1e6) / 1e4))
  return day === null ? 0 : LADDER[day - 1]
}

export function seenBuild({ id, status, testing }: StoreBuild, now: Instant): SeenBuild {
  const at = instantOf(status.observedAt) ?? now
  const observed = { at, state: status.state, raw: status.raw.slice(0, 64), storeRef: id }
  if (!testing) return observed
  const state = testing.state === 'unknown' ? null : testing.state
  return { ...observed, testing: { state, raw: testing.raw.slice(0, 64) } }
}

/**
 * Returns the later of two observations. Ties are resolved independently of the order of arguments.
 */
export function later<Observation extends { at: Instant }>(
  one: Observation | null,
  other: Observation
): Observation {
  if (one === null) return other
  if (one.at !== other.at) return one.at > other.at ? one : other
  return JSON.stringify(one) >= JSON.stringify(other) ? one : other
}

/** Returns the earlier of two instants, either of which may be unknown. */
export function earlier(one: Instant | null, other: Instant | null): Instant | null {
  if (one === null || other === null) return one ?? other
  return one < other ? one : other
}
