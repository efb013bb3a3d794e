import type { KnownProvider } from '#integrations/known_provider'
import type { IntegrationTypeInfo } from '#integrations/vocabulary'
import type { KnownTraffic } from '#rollouts/policy/check_policy'
import type { AppConfiguration } from '../model.js'

export interface KnownUser {
  email: string
  name: string | null
}

/** The data that a file is checked against. */
export interface CheckContext {
  providers: readonly KnownProvider[]
  integrationTypes: ReadonlyMap<string, IntegrationTypeInfo>
  /** Names of the organization's groups. */
  groups: readonly string[]
  users: readonly KnownUser[]
  /** Ids of the apps whose cadence the app may follow. */
  followable: readonly string[]
  /** Traffic counted by rollout guards in the app's stores, by destination. Null for the first. */
  traffic: ReadonlyMap<string | null, KnownTraffic>
  /** The app that the file changes or adds to. Null for a new one. */
  current: AppConfiguration | null
}
