import { enumeration } from '#foundation/core/enumerations'

/** `BucketType`; an app has one `rc` and one `dev`, a personal one comes with its person. */
export const BUCKET_TYPES = enumeration(
  'BucketType',
  ['rc', 'dev', 'personal', 'custom'],
  'What a bucket is for: release candidates, development builds, one person, or your own purpose.'
)
export type BucketType = (typeof BUCKET_TYPES)[number]

/** Bucket types that a file or a call may make. */
export const CONFIGURABLE_BUCKET_TYPES = ['rc', 'dev', 'custom'] as const
export type ConfigurableBucketType = (typeof CONFIGURABLE_BUCKET_TYPES)[number]

/** `BucketStatus`. */
export const BUCKET_STATUSES = enumeration(
  'BucketStatus',
  ['active', 'archived'],
  'Whether a bucket takes builds or was put away.'
)
export type BucketStatus = (typeof BUCKET_STATUSES)[number]

/** What a member of a bucket may do; admin is more than uploader, uploader more than tester. */
export const PERMISSION_LEVELS = ['admin', 'uploader', 'tester'] as const
export type PermissionLevel = (typeof PERMISSION_LEVELS)[number]

/** Builds of a branch, or of pull requests onto a base branch. */
export const BUCKET_RULE_TYPES = ['Branch', 'PR'] as const
export type BucketRuleType = (typeof BUCKET_RULE_TYPES)[number]

/** `BuildDistroBuildStatus`. */
export const BUILD_STATUSES = enumeration(
  'BuildDistroBuildStatus',
  ['pending', 'processing', 'active', 'failed', 'expired'],
  'Whether a distribution build can be installed: only while it is `active`.'
)
export type BuildStatus = (typeof BUILD_STATUSES)[number]

/** How a build came into its bucket. */
export const BUILD_SOURCES = ['upload', 'rule'] as const
export type BuildSource = (typeof BUILD_SOURCES)[number]

/** What a file is to its build. */
export type FileKind = 'artifact' | 'additional'
