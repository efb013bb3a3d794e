import { enumeration } from '#foundation/core/enumerations'

/** `PullRequestStatus`. */
export const PULL_REQUEST_STATUSES = ['draft', 'open', 'merged', 'closed'] as const
export type PullRequestStatus = (typeof PULL_REQUEST_STATUSES)[number]

/** `CodeStatus`, from the least to the furthest. */
export const CODE_STATUSES = enumeration(
  'CodeStatus',
  ['missing', 'inProgress', 'merged', 'inRelease', 'released'],
  'Where the code of a work item is: not there, in an open pull request, in the working branch only, in the release branch, with users.'
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

/** The side on which a commit was seen: in what is released, or in the working branch alone. */
export type CommitSide = 'release' | 'working'

/** The kinds of changes of a flag. */
export type FlagChangeKind = 'switchedOn' | 'switchedOff' | 'changed' | 'added' | 'removed'

/** Most commits of a range that are read; what is older is not looked at. */
export const MOST_COMMITS = 20_000
/** Most pieces of code that one work item shows. */
export const MAX_CODE = 1000
/** Most items that one request ignores, or does not any more. */
export const MAX_IGNORED = 500
