import type { BucketRuleType, ConfigurableBucketType, PermissionLevel } from './vocabulary.js'

/** A group by name or a user by e-mail address. */
export interface BucketMember {
  type: 'group' | 'user'
  name: string
  permissionLevel: PermissionLevel
}

/** A `Branch` rule has a branch, a `PR` rule a base branch; both are patterns. */
export interface BucketRule {
  type: BucketRuleType
  branch: string | null
  baseBranch: string | null
  workflow: string | null
  /** Empty means the usual file ending of the platform. */
  fileFilterPatterns: string[]
}

/** The retention of a bucket's builds (`expireOldBuilds`). */
export interface BucketRetention {
  enabled: boolean
  /** Days after which a build expires; null for any age. */
  maxAgeDays: number | null
  /** Number of newest builds to keep; null for any number. */
  maxBuilds: number | null
}

/** A bucket as a configuration file describes it. */
export interface BucketConfiguration {
  name: string
  type: ConfigurableBucketType
  orgWideAccessEnabled: boolean
  notificationsEnabled: boolean
  members: BucketMember[]
  rules: BucketRule[]
  /** Null if all builds are kept. */
  retention: BucketRetention | null
}
