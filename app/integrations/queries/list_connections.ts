import type { Instant } from '#foundation/core/clock'
import { of, select, as } from '#foundation/core/database/statement'
import { integer, optional, text } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import { capabilitiesOf, plugins } from '../plugins/plugin_registry.js'
import { connections, type CheckFailure } from '../tables.js'
import type { ConnectionStatus } from '../vocabulary.js'

/** Number of digits of a fingerprint that are shown: enough to distinguish two credentials. */
const SHOWN_DIGITS = 12

/** A connection as it is shown: never with a credential. */
export interface ListedConnection {
  id: string
  alias: string | null
  plugin: string
  status: ConnectionStatus
  /** The integration types it offers; none while its plugin does not run. */
  types: string[]
  settings: Record<string, unknown>
  account: string | null
  credentials: { set: boolean; fingerprint: string | null; version: number | null }
  checkedAt: Instant | null
  /** The permissions that the last check found missing, and the reason if it failed. */
  missingPermissions: string[]
  checkFailure: CheckFailure | null
  /** When the credentials end; null if the provider does not say. */
  endsAt: Instant | null
  createdAt: Instant
  updatedAt: Instant
}

const CONNECTIONS = select(
  {
    ...of(connections, 'c'),
    version: as(optional(integer()), 's.version'),
    fingerprint: as(optional(text()), 's.fingerprint'),
  },
  `from connections c
   left join connection_secrets s
     on s.organization_id = c.organization_id and s.connection_id = c.id and s.retired_at is null
   where c.organization_id = :org
   order by c.created_at, c.id`
)

/** Returns the connections of the organization, oldest first. */
export async function listConnections(scope: Scope): Promise<ListedConnection[]> {
  const rows = await scope.rows(CONNECTIONS)
  return rows.map((row) => {
    const plugin = plugins.find(row.pluginId)
    return {
      id: row.id,
      alias: row.alias,
      plugin: row.pluginId,
      status: row.status,
      types: plugin ? capabilitiesOf(plugin.manifest).map(({ type }) => type) : [],
      settings: row.settings,
      account: row.account,
      credentials: {
        set: row.version !== null,
        fingerprint: row.fingerprint?.slice(0, SHOWN_DIGITS) ?? null,
        version: row.version,
      },
      checkedAt: row.checkedAt,
      missingPermissions: row.missingPermissions,
      checkFailure: row.checkFailure,
      endsAt: row.endsAt,
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
    }
  })
}
