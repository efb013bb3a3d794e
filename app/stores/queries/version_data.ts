import type { Static } from '@sinclair/typebox'
import type { AppStoreVersionData } from '../entities.js'
import { trackOfSeen, type SeenRollout, type SeenVersion } from '../derive/seen.js'
import { ownRollout } from '../derive/store_facts.js'
import { isInReview, isReleased } from '../reconciler/states.js'
import type { VersionRow } from './store_state.js'

type Data = Static<typeof AppStoreVersionData>

const RELEASE_TYPE = { manual: 'MANUAL', auto: 'AFTER_APPROVAL', scheduled: 'SCHEDULED' } as const

const PHASED = {
  inactive: 'INACTIVE',
  active: 'ACTIVE',
  paused: 'PAUSED',
  // Apple has no halt: a phased release is paused instead.
  halted: 'PAUSED',
  complete: 'COMPLETE',
} as const

const STAGED = {
  inactive: null,
  active: 'inProgress',
  paused: 'halted',
  halted: 'halted',
  complete: 'completed',
} as const

/** Returns the data of a version in the terms of its store. */
export function versionData(row: VersionRow): Data {
  const { storeType: type, destinationId, seen } = row
  const { version, at: updatedAt, rejection = null } = seen
  const common = { type, version, destinationId, rejection, updatedAt }
  return type === 'apple'
    ? { ...common, apple: appleData(row) }
    : { ...common, google: googleData(row) }
}

function appleData(row: VersionRow): Data['apple'] {
  const { raw, release, buildNumbers } = row.seen
  const rollout = shownRollout(row)
  return {
    appStoreState: raw || 'unknown',
    releaseType: RELEASE_TYPE[release?.method ?? 'manual'],
    earliestReleaseDate: release?.method === 'scheduled' ? release.at : null,
    buildNumber: buildNumbers[0] ?? null,
    phasedRelease: rollout && {
      state: PHASED[rollout.state],
      currentDayNumber: rollout.day,
      percentage: rollout.percentage,
      startDate: rollout.startedAt,
      totalPauseDuration: rollout.pausedDays,
    },
  }
}

/**
 * Returns the rollout in the store's terms. A replaced version keeps the share that users were
 * offered, although the store calls its rollout complete.
 */
export function shownRollout({ seen, known }: VersionRow): SeenRollout | null {
  const own = ownRollout(known)
  if (seen.state !== 'replaced' || seen.rollout === null || own === null) return seen.rollout
  const { percentage, day } = own
  return { ...seen.rollout, percentage, day }
}

function googleData({ seen, known }: VersionRow): Data['google'] {
  const { raw, buildNumbers, name, rollout, updatePriority } = seen
  return {
    track: trackOfSeen(seen),
    versionState: { status: raw || 'unknown', versionCodes: buildNumbers, releaseName: name },
    stagedRollout: stagedRollout(rollout),
    inAppUpdatePriority: updatePriority,
    reviewStatus: seen.review ?? reviewOf(known),
  }
}

function stagedRollout(rollout: SeenRollout | null) {
  const status = rollout && STAGED[rollout.state]
  if (!rollout || !status) return null
  const { percentage } = rollout
  return { status, userFraction: status === 'completed' ? null : percentage / 100, percentage }
}

/** Derives the review status from the state, for stores that report no review. */
function reviewOf(known: SeenVersion | null): NonNullable<Data['google']>['reviewStatus'] {
  const state = known?.state ?? 'unknown'
  if (isInReview(state)) return 'inReview'
  if (state === 'rejected' || state === 'metadataRejected') return 'rejected'
  return state === 'pendingRelease' || isReleased(state) ? 'approved' : 'notSubmitted'
}
