import { later, type Instant } from '#foundation/core/clock'
import { of, select } from '#foundation/core/database/statement'
import { DAY } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import { connections } from '../tables.js'
import type { ConnectionStatus } from '../vocabulary.js'
import { MENDERS } from './connection_failures.js'

/** Time before the end of credentials or builds from which it is shown, in milliseconds. */
export const ENDS_SHOWN_AHEAD = 30 * DAY

interface Ending {
  id: string
  alias: string | null
  status: ConnectionStatus
  endsAt: Instant | null
}

/**
 * Returns the end of a connection's credentials and who can renew them, for people; null if they do
 * not end within 30 days.
 */
export function endOfCredentials(
  { id, alias, status, endsAt }: Ending,
  now: Instant
): { endsAt: Instant; message: string } | null {
  if (status === 'disconnected' || endsAt === null || endsAt >= later(now, ENDS_SHOWN_AHEAD))
    return null
  const verb = endsAt > now ? 'end' : 'ended'
  const credentials = `The credentials of ${alias ?? id} ${verb} on ${endsAt.slice(0, 10)}`
  const message = `${credentials}; ${MENDERS} can give it new ones before anything fails.`
  return { endsAt, message }
}

const SELECT_BY_APP = select(
  of(connections, 'c', ['id', 'alias', 'status', 'endsAt']),
  `from connections c
   where c.organization_id = :org and c.ends_at is not null and exists (
     select 1 from integrations i
     where i.organization_id = c.organization_id and i.connection_id = c.id and i.app_id = :appId)
   order by c.ends_at, c.id`
)

/** Returns the ends of an app's credentials that have ended, or end within 30 days. */
export async function endingConnections(scope: Scope, appId: string) {
  const rows = await scope.rows(SELECT_BY_APP, { appId })
  return rows.flatMap((row) => endOfCredentials(row, scope.now) ?? [])
}
