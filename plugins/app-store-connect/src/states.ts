import type { BetaState, StoreVersion, StoreVersionState } from '@tarmac/plugin-kit'

/** The kit's states by Apple's `AppVersionState`. */
export const STATES: Readonly<Record<string, StoreVersionState>> = {
  PREPARE_FOR_SUBMISSION: 'preparing',
  READY_FOR_REVIEW: 'readyForReview',
  // Its export documents are checked before the review.
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
  // Only the older field `appStoreState` has these.
  REMOVED_FROM_SALE: 'removed',
  DEVELOPER_REMOVED_FROM_SALE: 'removed',
}

/** States that only the older field `appStoreState` has. */
export const REMOVED: readonly (string | undefined)[] = [
  'REMOVED_FROM_SALE',
  'DEVELOPER_REMOVED_FROM_SALE',
]

/** States in which texts, build and release of a version can be changed. */
export const EDITABLE: readonly string[] = [
  'PREPARE_FOR_SUBMISSION',
  'REJECTED',
  'METADATA_REJECTED',
  'DEVELOPER_REJECTED',
  'INVALID_BINARY',
  'READY_FOR_REVIEW',
]

/** States of a version whose review is under way. */
export const IN_REVIEW: readonly string[] = [
  'WAITING_FOR_REVIEW',
  'IN_REVIEW',
  'WAITING_FOR_EXPORT_COMPLIANCE',
]

/** States of released versions, whose submissions do not matter any more. */
export const PAST: readonly string[] = [
  'READY_FOR_DISTRIBUTION',
  'REPLACED_WITH_NEW_VERSION',
  'REMOVED_FROM_SALE',
  'DEVELOPER_REMOVED_FROM_SALE',
]

/** The kit's rollout states by Apple's `PhasedReleaseState`. */
export const ROLLOUTS: Readonly<Record<string, NonNullable<StoreVersion['rollout']>['state']>> = {
  INACTIVE: 'inactive',
  ACTIVE: 'active',
  PAUSED: 'paused',
  COMPLETE: 'complete',
}

/** Shares of users on each day of a phased release, from day 1. */
export const SHARES: readonly number[] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1]

/** The kit's release methods by Apple's `releaseType`. */
export const METHODS: Readonly<Record<string, 'manual' | 'auto' | 'scheduled'>> = {
  MANUAL: 'manual',
  AFTER_APPROVAL: 'auto',
  SCHEDULED: 'scheduled',
}

/**
 * The kit's build states by Apple's processing state, or by `EXPIRED`, which Apple reports apart.
 */
export const BUILD_STATES = {
  PROCESSING: 'processing',
  FAILED: 'invalid',
  INVALID: 'invalid',
  VALID: 'ready',
  EXPIRED: 'expired',
} as const

/** The kit's states by Apple's `InternalBetaState` and `ExternalBetaState`. */
export const BETA_STATES: Readonly<Record<string, BetaState>> = {
  PROCESSING: 'processing',
  PROCESSING_EXCEPTION: 'processing',
  MISSING_EXPORT_COMPLIANCE: 'processing',
  IN_EXPORT_COMPLIANCE_REVIEW: 'processing',
  READY_FOR_BETA_SUBMISSION: 'processing',
  WAITING_FOR_BETA_REVIEW: 'inReview',
  IN_BETA_REVIEW: 'inReview',
  READY_FOR_BETA_TESTING: 'testing',
  BETA_APPROVED: 'testing',
  IN_BETA_TESTING: 'testing',
  BETA_REJECTED: 'rejected',
  EXPIRED: 'expired',
}
