import { instant, integer, json, optional, table, text } from '#foundation/core/database/table'
import type { Actor } from '#foundation/core/principal'
import type { ContextApp } from '#plugin-kit/context'
import type { Kind } from '#plugin-kit/kinds'
import type { ProviderErrorCode, ProviderErrorDetail } from '#plugin-kit/provider_error'
import type { IntegrationData } from './settings.js'
import type { BreakerState } from '#provider-port/records'
import type { ConnectionStatus } from './vocabulary.js'

/** Why a check of a connection failed. */
export interface CheckFailure {
  code: ProviderErrorCode
  message: string
}

/** Accounts at providers that an organization is connected to. */
export const connections = table('connections', {
  id: text(),
  organizationId: text(),
  pluginId: text(),
  alias: optional(text()),
  aliasKey: optional(text()),
  status: text<ConnectionStatus>(),
  settings: json<Record<string, unknown>>(),
  account: optional(text()),
  checkedAt: optional(instant()),
  /** The permissions that the last check found missing, as the provider names them. */
  missingPermissions: json<string[]>(),
  /** Why the last check failed, in the words of the plugin or its provider; null if it did not. */
  checkFailure: optional(json<CheckFailure>()),
  /** When the credentials end, as the provider said at the last successful check. */
  endsAt: optional(instant()),
  createdAt: instant(),
  updatedAt: instant(),
})

/** The credentials of connections, by version; at most one of them is in use. */
export const connectionSecrets = table('connection_secrets', {
  organizationId: text(),
  connectionId: text(),
  version: integer(),
  ciphertext: optional(text()),
  fingerprint: text(),
  createdAt: instant(),
  retiredAt: optional(instant()),
})

/** Integrations of apps, in the order of their files. */
export const integrations = table('integrations', {
  id: text(),
  organizationId: text(),
  appId: text(),
  connectionId: text(),
  key: text(),
  type: text(),
  kind: text<Kind>(),
  data: json<IntegrationData>(),
  position: integer(),
  destinationId: optional(text()),
  /** Time of the provider's last answer or callback; at most a minute behind. */
  lastSyncedAt: optional(instant()),
  createdAt: instant(),
  updatedAt: instant(),
})

/** Tokens of providers that must survive a restart: at most one row per connection. */
export const connectionTokens = table('connection_tokens', {
  organizationId: text(),
  connectionId: text(),
  version: integer(),
  ciphertext: optional(text()),
  leaseId: optional(text()),
  leasedUntil: optional(instant()),
  updatedAt: instant(),
})

/** What plugins learnt about the providers of connections, by a name of the plugin. */
export const connectionValues = table('connection_values', {
  organizationId: text(),
  connectionId: text(),
  name: text(),
  value: text(),
})

/** The integration log: every attempt at a call to a provider. */
export const integrationCalls = table('integration_calls', {
  id: text(),
  organizationId: text(),
  connectionId: optional(text()),
  pluginId: text(),
  calledAt: instant(),
  method: text(),
  host: text(),
  path: text(),
  status: optional(integer()),
  milliseconds: integer(),
  attempt: integer(),
  remaining: optional(integer()),
  outcome: text<ProviderErrorDetail['outcome']>(),
  code: optional(text<ProviderErrorCode>()),
})

/** Health of the hosts of connections, as the calling processes last reported it. */
export const connectionHealths = table('connection_healths', {
  organizationId: text(),
  connectionId: text(),
  host: text(),
  state: text<BreakerState>(),
  since: instant(),
  failedAt: optional(instant()),
  failure: optional(text<ProviderErrorCode>()),
  /**
   * End of the time in which the host is not called. It limits what a process that died can block.
   */
  openUntil: optional(instant()),
  updatedAt: instant(),
})

/** Failed reads of providers, by method. */
export const integrationFailures = table('integration_failures', {
  organizationId: text(),
  integrationId: text(),
  method: text(),
  code: text<ProviderErrorCode>(),
  message: text(),
  /** The role at the provider that has to act; null for anybody else. */
  who: optional(text()),
  /** Time of the first failure in a row, and of the last. */
  since: instant(),
  seenAt: instant(),
})

/** The integration that a webhook was made for, as its plugin saw it. */
export interface HookPlace {
  connectionId: string
  data: IntegrationData
  app: ContextApp
}

/** Webhooks that plugins made at providers, by the integration that needs them. */
export const integrationHooks = table('integration_hooks', {
  organizationId: text(),
  integrationId: text(),
  providerRef: optional(text()),
  /** The place where it was made. It is removed there, even if the integration changes. */
  place: json<HookPlace>(),
  ensuredAt: instant(),
})

/** Addresses of callbacks, with the secrets that providers sign with. */
export const callbackAddresses = table('callback_addresses', {
  organizationId: text(),
  /** The id of the connection or of the integration. */
  id: text(),
  connectionId: optional(text()),
  integrationId: optional(text()),
  ciphertext: optional(text()),
  receivedAt: optional(instant()),
  createdAt: instant(),
  updatedAt: instant(),
})

/** Deliveries that already arrived, so that a repetition has no effect. */
export const callbackDeliveries = table('callback_deliveries', {
  organizationId: text(),
  addressId: text(),
  deliveryKey: text(),
  receivedAt: instant(),
})

/** Authorizations that were begun in a browser and await the provider's answer. */
export const oauthStarts = table('oauth_starts', {
  stateHash: text(),
  organizationId: text(),
  pluginId: text(),
  connectionId: optional(text()),
  alias: optional(text()),
  settings: json<Record<string, unknown>>(),
  ciphertext: text(),
  redirectUri: text(),
  actor: json<Actor>(),
  /** The session of a browser that alone may finish it; null for one that the console began. */
  browser: optional(text()),
  createdAt: instant(),
  expiresAt: instant(),
})

/** Usage of provider budgets, by the provider's counting key: organizations may share one. */
export const providerBudgets = table('provider_budgets', {
  key: text(),
  state: text(),
  /** In milliseconds. */
  usedAt: integer(),
})

declare module '#foundation/core/database/table' {
  interface Tables {
    integration_failures: typeof integrationFailures
    connections: typeof connections
    connection_secrets: typeof connectionSecrets
    integrations: typeof integrations
    connection_tokens: typeof connectionTokens
    connection_values: typeof connectionValues
    integration_calls: typeof integrationCalls
    connection_healths: typeof connectionHealths
    integration_hooks: typeof integrationHooks
    callback_addresses: typeof callbackAddresses
    callback_deliveries: typeof callbackDeliveries
    oauth_starts: typeof oauthStarts
    provider_budgets: typeof providerBudgets
  }
}
