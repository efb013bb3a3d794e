import type {
  AppDefinition,
  AppSettings,
  AppStoreReleaseSettings,
  WorkflowStepGroup,
} from '#apps/settings'
import type { BucketConfiguration } from '#distribution/settings'
import type { FixForm } from '#fixes/triage/form'
import type { IntegrationConfiguration } from '#integrations/settings'
import type { NotificationsConfiguration } from '#notifications/configured_notifications'
import type { CadenceConfiguration } from '#planning/cadence/configured_cadence'
import type { AutomationsConfiguration, FreezeConfiguration } from '#planning/plans/configured_plan'
import type { RolloutsConfiguration } from '#rollouts/configured_rollouts'
import type { RolloutPolicy } from '#rollouts/policy/policy'

/**
 * All that a configuration file says of an app, complete: what no file gave stands at its
 * default. Maps of the file are lists here, so that their order survives keys that look like
 * numbers.
 */
export interface AppConfiguration extends AppDefinition, RolloutsConfiguration {
  integrations: IntegrationConfiguration[]
  buckets: BucketConfiguration[]
  /** Null without one. */
  scheduleCadence: CadenceConfiguration | null
  lifecycleFreezes: FreezeConfiguration[]
  automations: AutomationsConfiguration
  notifications: NotificationsConfiguration
  /** The form of late fixes. */
  fixForm: FixForm
}

/** Null clears, absence leaves alone. */
export type Patch<T> = { [Key in keyof T]?: T[Key] | null }

/** The explicit content of a file: a given map or list replaces the whole. */
export interface ConfigurationFile extends Patch<
  Omit<AppConfiguration, 'appSettings' | 'appStoreReleaseSettings'>
> {
  appSettings?: Patch<AppSettings> | null
  appStoreReleaseSettings?: Patch<AppStoreReleaseSettings> | null
}

/** The content of `POST /app/{appId}/destination/config`. */
export interface DestinationConfiguration {
  name: string
  integrations: IntegrationConfiguration[]
  appStoreReleaseSettings: AppStoreReleaseSettings
  rollout: RolloutPolicy | null
  stepGroups: WorkflowStepGroup[]
}
