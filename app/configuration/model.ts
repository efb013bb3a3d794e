import type {
  AppDefinition,
  AppSettings,
  AppStoreReleaseSettings,
  WorkflowStepGroup,
} from '#apps/settings'
import type { ConfiguredRule } from '#comparison/approvals/change_rules'
import type { BucketConfiguration } from '#distribution/settings'
import type { FixForm } from '#fixes/triage/form'
import type { IntegrationConfiguration } from '#integrations/settings'
import type { NotificationsConfiguration } from '#notifications/settings'
import type { CadenceConfiguration } from '#planning/cadence/configured_cadence'
import type { AutomationsConfiguration, FreezeConfiguration } from '#planning/plans/configured_plan'
import type { RolloutsConfiguration } from '#rollouts/configured_rollouts'
import type { RolloutPolicy } from '#rollouts/policy/policy'

/**
 * The complete content of an app's configuration file. Members that no file set have their default.
 * Maps of the file are lists here, so that their order is kept for keys that look like numbers.
 */
export interface AppConfiguration extends AppDefinition, RolloutsConfiguration {
  integrations: IntegrationConfiguration[]
  buckets: BucketConfiguration[]
  /** Null if the app has none. */
  scheduleCadence: CadenceConfiguration | null
  lifecycleFreezes: FreezeConfiguration[]
  automations: AutomationsConfiguration
  notifications: NotificationsConfiguration
  /** The settings of late fix requests. */
  fixForm: FixForm
  /** The changes of a build that need an approval. */
  changeApprovals: ConfiguredRule[]
}

/** A change of an object: null clears a member, a missing one is left unchanged. */
export type Patch<T> = { [Key in keyof T]?: T[Key] | null }

/** The actual content of a file. A given map or list is complete. */
export interface ConfigurationFile extends Patch<
  Omit<AppConfiguration, 'appSettings' | 'appStoreReleaseSettings'>
> {
  appSettings?: Patch<AppSettings> | null
  appStoreReleaseSettings?: Patch<AppStoreReleaseSettings> | null
}

/** The addition made by `POST /app/{appId}/destination/config`. */
export interface DestinationConfiguration {
  name: string
  integrations: IntegrationConfiguration[]
  appStoreReleaseSettings: AppStoreReleaseSettings
  rollout: RolloutPolicy | null
  stepGroups: WorkflowStepGroup[]
}
