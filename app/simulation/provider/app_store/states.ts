import type { StoreVersion, StoreVersionState } from '#plugin-kit/capabilities/stores'

/** The plugin kit's states for `AppVersionState` of App Store Connect. */
export const STATES: Readonly<Record<string, StoreVersionState>> = {
  PREPARE_FOR_SUBMISSION: 'preparing',
  READY_FOR_REVIEW: 'readyForReview',
  // The documents on encryption are checked before the review.
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
  // From the older `AppStoreState`; `AppVersionState` has no such states.
  REMOVED_FROM_SALE: 'removed',
  DEVELOPER_REMOVED_FROM_SALE: 'removed',
}

/** Returns the states of the store that correspond to some states of the plugin kit. */
export function statesLike(wanted: readonly StoreVersionState[]): string[] {
  const isWanted = (state: StoreVersionState) =>
    wanted.includes(state) || (state === 'live' && wanted.includes('rolledOutPartially'))
  return Object.entries(STATES).flatMap(([raw, state]) => (isWanted(state) ? [raw] : []))
}

/** The plugin kit's states for `PhasedReleaseState`. */
export const ROLLOUTS: Readonly<Record<string, NonNullable<StoreVersion['rollout']>['state']>> = {
  INACTIVE: 'inactive',
  ACTIVE: 'active',
  PAUSED: 'paused',
  COMPLETE: 'complete',
}
