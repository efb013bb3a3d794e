import { enumeration } from '#foundation/core/enumerations'

/** `PullRequestStatus`. */
export const PULL_REQUEST_STATUSES = ['draft', 'open', 'merged', 'closed'] as const
export type PullRequestStatus = (typeof PULL_REQUEST_STATUSES)[number]

/** `CodeStatus`, from the least to the furthest. */
export const CODE_STATUSES = enumeration(
  'CodeStatus',
  ['missing', 'inProgress', 'merged', 'inRelease', 'released'],
  'Status of the code of a work item: missing, in an open pull request, only on the working branch, on the release branch, or released.'
)
export type CodeStatus = (typeof CODE_STATUSES)[number]

/** `CodeType`. */
const CODE_TYPES = ['commit', 'pullRequest'] as const
export type CodeType = (typeof CODE_TYPES)[number]

/** Why an item is not ready; `ready` where it is. */
export const READINESS_REASONS = [
  'ready',
  'missingCode',
  'notMerged',
  'ticketNotDone',
  'missingAffiliation',
] as const
export type ReadinessReason = (typeof READINESS_REASONS)[number]

/**
 * The range in which a commit was observed: that of the release, or that of the working branch
 * beyond it.
 */
export type CommitSide = 'release' | 'working'

/** The kinds of changes of a flag. */
export type FlagChangeKind = 'switchedOn' | 'switchedOff' | 'changed' | 'added' | 'removed'

/** Most commits of a range that are read; older ones are ignored. */
export const MAX_COMMITS = 20_000
/** Most pieces of code that one work item shows. */
export const MAX_CODE = 1000
/** Most items that one request ignores or restores. */
export const MAX_IGNORED = 500
