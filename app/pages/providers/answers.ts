import type {
  BegunAuthorization,
  CallbackSecret,
  ConnectionDetails,
  ConnectionEntity,
  ProviderCallEntity,
  ProviderChannels,
  ProviderPluginDetails,
  ProviderPluginEntity,
} from '#integrations/connection_entities'
import type { Problem } from '#foundation/core/problems/problem'
import type { NamedApp } from '../keys/answers.js'

export interface ConnectionsAnswers {
  connections: readonly ConnectionEntity[]
  apps: readonly NamedApp[]
}

export interface CatalogueAnswers {
  plugins: readonly ProviderPluginEntity[]
  connections: readonly ConnectionEntity[]
}

export interface ConnectionAnswers {
  connection: ConnectionDetails
  calls: readonly ProviderCallEntity[]
  apps: readonly NamedApp[]
  /** Null while the plugin does not run. */
  plugin: ProviderPluginDetails | null
}

export interface RotationAnswers {
  connection: ConnectionDetails
  plugin: ProviderPluginDetails
}

export interface ChannelsAnswers {
  connection: ConnectionDetails
  /** Null while the plugin does not run. */
  plugin: ProviderPluginDetails | null
  /** The channels, or the problem why they cannot be listed. */
  found: ProviderChannels | Problem
}

export interface SecretAnswers {
  connection: ConnectionDetails
  issued: CallbackSecret
}

/** The result of an authorization that a browser brought back; all null if it brought none. */
export interface AuthorizedAnswers {
  connection: ConnectionEntity | null
  next: BegunAuthorization | null
  problem: Problem | null
}
