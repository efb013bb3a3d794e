import { later, type Instant } from '#foundation/core/clock'
import { of, select } from '#foundation/core/database/statement'
import { DAY } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import { connections } from '../tables.js'

/** How long ahead the end of credentials is shown, in milliseconds. */
const AHEAD = 30 * DAY

/** A connection whose credentials end soon, or have ended. */
export interface EndingConnection {
  id: string
  endsAt: Instant
  /** What ends and who can renew it, for people. */
  message: string
}

const ENDING = select(
  of(connections, 'c', ['id', 'alias', 'endsAt']),
  `from connections c
   where c.organization_id = :org and c.ends_at < :until and c.status <> 'disconnected'
     and (:connectionId = '' or c.id = :connectionId)
     and (:appId = '' or exists (
       select 1 from integrations i
       where i.organization_id = c.organization_id and i.connection_id = c.id
         and i.app_id = :appId))
   order by c.ends_at, c.id`
)

/** The connections that an app uses, or one of them, whose credentials end within 30 days. */
export async function endingConnections(
  scope: Scope,
  { appId = '', connectionId = '' }: { appId?: string; connectionId?: string }
): Promise<EndingConnection[]> {
  const rows = await scope.rows(ENDING, { appId, connectionId, until: later(scope.now, AHEAD) })
  return rows.map(({ id, alias, endsAt }) => ({
    id,
    endsAt: endsAt!,
    message: messageOf(alias ?? id, endsAt!, scope.now),
  }))
}

function messageOf(name: string, endsAt: Instant, now: Instant): string {
  const day = endsAt.slice(0, 10)
  const what =
    endsAt > now
      ? `The credentials of ${name} end on ${day}`
      : `The credentials of ${name} ended on ${day}`
  return `${what}; whoever may change integrations can give it new ones before anything fails.`
}
