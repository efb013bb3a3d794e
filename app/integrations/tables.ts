import { instant, integer, json, optional, table, text } from '#foundation/core/database/table'
import type { Kind } from '#plugin-kit/kinds'
import type { IntegrationData } from './settings.js'
import type { ConnectionStatus } from './vocabulary.js'

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

/** What apps use of connections, in the order of their files. */
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
  createdAt: instant(),
  updatedAt: instant(),
})

declare module '#foundation/core/database/table' {
  interface Tables {
    connections: typeof connections
    connection_secrets: typeof connectionSecrets
    integrations: typeof integrations
  }
}
