import type {
  AppSettings,
  AppStoreReleaseSettings,
  BranchSettings,
  FeatureAffiliation,
  TagSettings,
  WorkflowStepGroup,
} from '#apps/settings'
import type { AppPlatform } from '#apps/vocabulary'
import type {
  BucketRuleType,
  ConfigurableBucketType,
  PermissionLevel,
} from '#distribution/vocabulary'
import type { IntegrationKind } from '#integrations/vocabulary'

/** One event of product analytics, with the parameter that is looked at. */
export interface SelectedEvent {
  eventName: string
  paramName?: string
}

export type IntegrationData = Record<string, string | string[] | SelectedEvent[]>

/** One entry of `integrations`. */
export interface IntegrationConfiguration {
  key: string
  type: string
  kind: IntegrationKind
  /** Id of the connected provider. */
  provider: string
  data: IntegrationData
}

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
  /** Empty means the platform's own file ending. */
  fileFilterPatterns: string[]
}

export interface BucketConfiguration {
  name: string
  type: ConfigurableBucketType
  orgWideAccessEnabled: boolean
  notificationsEnabled: boolean
  members: BucketMember[]
  rules: BucketRule[]
}

/**
 * All that a configuration file says of an app, complete: what no file gave stands at its default
 * (`contract/configuration-file.md`, rule 15). Maps of the file are lists here, so that their
 * order survives keys that look like numbers.
 */
export interface AppConfiguration {
  name: string
  platform: AppPlatform
  appGroup: string | null
  icon: string | null
  integrations: IntegrationConfiguration[]
  buckets: BucketConfiguration[]
  appSettings: AppSettings
  /** E-mail addresses in lower case. */
  appUsers: string[]
  branchSettings: BranchSettings[]
  tagSettings: TagSettings[]
  featureAffiliations: FeatureAffiliation[]
  appStoreReleaseSettings: AppStoreReleaseSettings
  stepGroups: WorkflowStepGroup[]
}

/** Null clears, absence leaves alone. */
export type Given<T> = { [Key in keyof T]?: T[Key] | null }

/** What a file really says: a map or list that is given is given whole. */
export interface ConfigurationFile extends Given<
  Omit<AppConfiguration, 'appSettings' | 'appStoreReleaseSettings'>
> {
  appSettings?: Given<AppSettings> | null
  appStoreReleaseSettings?: Given<AppStoreReleaseSettings> | null
}

/** What `POST /app/{appId}/destination/config` adds. */
export interface DestinationConfiguration {
  name: string
  integrations: IntegrationConfiguration[]
  appStoreReleaseSettings: AppStoreReleaseSettings
  stepGroups: WorkflowStepGroup[]
}
