import type { KnownProvider } from '#integrations/known_provider'
import type { IntegrationTypeInfo } from '#integrations/vocabulary'
import type { KnownTraffic } from '#rollouts/policy/check_policy'
import type { AppConfiguration } from '../model.js'

export interface KnownUser {
  email: string
  name: string | null
}

/** The state that a file is checked against. */
export interface CheckContext {
  providers: readonly KnownProvider[]
  integrationTypes: ReadonlyMap<string, IntegrationTypeInfo>
  /** Names of the organization's groups. */
  groups: readonly string[]
  users: readonly KnownUser[]
  /** Ids of the apps whose cadence the app may follow. */
  followable: readonly string[]
  /** Counts of rollout guards in the stores of the app, by destination; null for the first. */
  traffic: ReadonlyMap<string | null, KnownTraffic>
  /** The app that the file changes or adds to; null for a new one. */
  current: AppConfiguration | null
}
