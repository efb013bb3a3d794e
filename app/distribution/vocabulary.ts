import { enumeration } from '#foundation/core/enumerations'

/** `BucketType`; an app has at most one `rc` and one `dev` bucket, a person one `personal`. */
export const BUCKET_TYPES = enumeration(
  'BucketType',
  ['rc', 'dev', 'personal', 'custom'],
  'Purpose of a bucket: release candidates, development builds, one person, or custom.'
)
export type BucketType = (typeof BUCKET_TYPES)[number]

/** Bucket types that configuration files and requests may create. */
export const CONFIGURABLE_BUCKET_TYPES = ['rc', 'dev', 'custom'] as const
export type ConfigurableBucketType = (typeof CONFIGURABLE_BUCKET_TYPES)[number]

/** `BucketStatus`. */
export const BUCKET_STATUSES = enumeration(
  'BucketStatus',
  ['active', 'archived'],
  'Whether a bucket accepts builds or is archived.'
)
export type BucketStatus = (typeof BUCKET_STATUSES)[number]

/** Permissions of a bucket's members: admin includes uploader, uploader includes tester. */
export const PERMISSION_LEVELS = ['admin', 'uploader', 'tester'] as const
export type PermissionLevel = (typeof PERMISSION_LEVELS)[number]

/** Builds of a branch, or of pull requests onto a base branch. */
export const BUCKET_RULE_TYPES = ['Branch', 'PR'] as const
export type BucketRuleType = (typeof BUCKET_RULE_TYPES)[number]

/** The branch that a rule of a type applies to, and the ones it excludes. */
export const BRANCH_OF_RULE = {
  Branch: { needed: 'branch', refused: 'baseBranch' },
  PR: { needed: 'baseBranch', refused: 'branch' },
} as const satisfies Record<BucketRuleType, object>

/** The maximum numbers of an app's buckets and of a bucket's parts, in files and requests alike. */
export const MAX_BUCKETS = 100
export const MAX_MEMBERS = 1000
export const MAX_RULES = 100
export const MAX_FILTERS = 50

/** The largest uploads in bytes: of an artifact, and of an additional file. */
export const MAX_BUILD_BYTES = 4 * 1024 ** 3
export const MAX_FILE_BYTES = 1024 ** 3

/** The highest limits of age and number that a bucket may set for its builds. */
export const MAX_AGE_DAYS = 3650
export const MAX_KEPT_BUILDS = 10_000

/** `BuildDistroBuildStatus`. */
export const BUILD_STATUSES = enumeration(
  'BuildDistroBuildStatus',
  ['pending', 'processing', 'active', 'failed', 'expired'],
  'Status of a distribution build; only an `active` one can be installed.'
)
export type BuildStatus = (typeof BUILD_STATUSES)[number]

/** The ways in which builds get into buckets. */
export const BUILD_SOURCES = ['upload', 'rule'] as const
export type BuildSource = (typeof BUILD_SOURCES)[number]

/** The relation of a file to its build. */
export type FileKind = 'artifact' | 'additional' | 'icon'

/** Progress of reading the content of an artifact. */
export const METADATA_STATUSES = ['pending', 'read', 'failed'] as const
export type MetadataStatus = (typeof METADATA_STATUSES)[number]

/** Possible mismatches between an artifact and its app. */
export const METADATA_WARNINGS = ['platform_differs', 'bundle_id_differs'] as const
export type MetadataWarningCode = (typeof METADATA_WARNINGS)[number]
