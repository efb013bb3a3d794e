import type { BetaState, StoreVersion, StoreVersionState } from '@tarmac/plugin-kit'

/** `AppVersionState` in our words. */
export const STATES: Readonly<Record<string, StoreVersionState>> = {
  PREPARE_FOR_SUBMISSION: 'preparing',
  READY_FOR_REVIEW: 'readyForReview',
  // Its documents are checked before its review.
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
  // Words of the older field `appStoreState` alone.
  REMOVED_FROM_SALE: 'removed',
  DEVELOPER_REMOVED_FROM_SALE: 'removed',
}

/** Words of the older field that the newer one has none for. */
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

/** States that users have, or had: no submission is of interest any more. */
export const PAST: readonly string[] = [
  'READY_FOR_DISTRIBUTION',
  'REPLACED_WITH_NEW_VERSION',
  'REMOVED_FROM_SALE',
  'DEVELOPER_REMOVED_FROM_SALE',
]

/** `PhasedReleaseState` in our words. */
export const ROLLOUTS: Readonly<Record<string, NonNullable<StoreVersion['rollout']>['state']>> = {
  INACTIVE: 'inactive',
  ACTIVE: 'active',
  PAUSED: 'paused',
  COMPLETE: 'complete',
}

/** Shares of users by the days of a phased release, from the first. */
export const SHARES: readonly number[] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1]

/** `releaseType` in our words. */
export const METHODS: Readonly<Record<string, 'manual' | 'auto' | 'scheduled'>> = {
  MANUAL: 'manual',
  AFTER_APPROVAL: 'auto',
  SCHEDULED: 'scheduled',
}

/** States of processing of a build in our words; whether it has expired stands beside them. */
export const BUILD_STATES = {
  PROCESSING: 'processing',
  FAILED: 'invalid',
  INVALID: 'invalid',
  VALID: 'ready',
  EXPIRED: 'expired',
} as const

/** `InternalBetaState` and `ExternalBetaState` in our words. */
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
