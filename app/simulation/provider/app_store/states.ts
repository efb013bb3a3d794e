import type { StoreVersion, StoreVersionState } from '#plugin-kit/capabilities/stores'

/** `AppVersionState` of App Store Connect in our words. */
export const STATES: Readonly<Record<string, StoreVersionState>> = {
  PREPARE_FOR_SUBMISSION: 'preparing',
  READY_FOR_REVIEW: 'readyForReview',
  // Its documents are looked at before its review.
  WAITING_FOR_EXPORT_COMPLIANCE: 'waitingForReview',
  WAITING_FOR_REVIEW: 'waitingForReview',
  IN_REVIEW: 'inReview',
  REJECTED: 'rejected',
  METADATA_REJECTED: 'metadataRejected',
  DEVELOPER_REJECTED: 'developerRejected',
  INVALID_BINARY: 'invalidBinary',
  ACCEPTED: 'pendingRelease',
  PENDING_DEVELOPER_RELEASE: 'pendingRelease',
  PENDING_APPLE_RELEASE: 'pendingRelease',
  PROCESSING_FOR_DISTRIBUTION: 'processing',
  READY_FOR_DISTRIBUTION: 'live',
  REPLACED_WITH_NEW_VERSION: 'replaced',
  // Older words for it; the newer ones have none.
  REMOVED_FROM_SALE: 'removed',
  DEVELOPER_REMOVED_FROM_SALE: 'removed',
}

/** The states that versions of one of ours may be in; none that the store knows of is `null`. */
export function statesLike(wanted: readonly StoreVersionState[]): string[] {
  const isWanted = (state: StoreVersionState) =>
    wanted.includes(state) || (state === 'live' && wanted.includes('rolledOutPartially'))
  return Object.entries(STATES).flatMap(([raw, state]) => (isWanted(state) ? [raw] : []))
}

/** `PhasedReleaseState` in our words. */
export const ROLLOUTS: Readonly<Record<string, NonNullable<StoreVersion['rollout']>['state']>> = {
  INACTIVE: 'inactive',
  ACTIVE: 'active',
  PAUSED: 'paused',
  COMPLETE: 'complete',
}
