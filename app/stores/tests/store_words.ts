import type { StoreVersionState } from '#plugin-kit/capabilities/stores'

/** The state names of a store in memory. */
export const APPLE_WORDS: Partial<Record<StoreVersionState, string>> = {
  preparing: 'PREPARE_FOR_SUBMISSION',
  waitingForReview: 'WAITING_FOR_REVIEW',
  inReview: 'IN_REVIEW',
  rejected: 'REJECTED',
  metadataRejected: 'METADATA_REJECTED',
  developerRejected: 'DEVELOPER_REJECTED',
  invalidBinary: 'INVALID_BINARY',
  pendingRelease: 'PENDING_DEVELOPER_RELEASE',
  live: 'READY_FOR_SALE',
  replaced: 'REPLACED_WITH_NEW_VERSION',
}

export const GOOGLE_WORDS: Partial<Record<StoreVersionState, string>> = {
  preparing: 'draft',
  waitingForReview: 'draft',
  inReview: 'draft',
  rejected: 'draft',
  rolledOutPartially: 'inProgress',
  halted: 'halted',
  live: 'completed',
}
