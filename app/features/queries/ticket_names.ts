import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { trackerTickets } from '../tables.js'

const MOVED = select(
  of(trackerTickets, 't', ['key', 'spelledKey']),
  `from tracker_tickets t where t.organization_id = :org and t.app_id = :appId
    and t.is_known = true and upper(t.spelled_key) <> t.key and t.key in json(:keys)`
)
const SAME_TICKET = select(
  of(trackerTickets, 't', ['key', 'spelledKey']),
  `from tracker_tickets o
   join tracker_tickets t on t.organization_id = o.organization_id and t.app_id = o.app_id
     and t.integration_id = o.integration_id and t.ticket_id = o.ticket_id
   where o.organization_id = :org and o.app_id = :appId and o.is_known = true
     and o.key = :key and t.is_known = true limit 50`
)

/**
 * Returns the other keys of tickets that were moved, or are named by a short form; in upper case.
 */
export async function movedNames(
  scope: Scope,
  appId: string,
  keys: readonly string[]
): Promise<ReadonlyMap<string, readonly string[]>> {
  const names = new Map<string, string[]>()
  const add = (one: string, other: string) => names.set(one, [...(names.get(one) ?? []), other])
  for (const { key, spelledKey } of await scope.rows(MOVED, {
    appId,
    keys: JSON.stringify(keys),
  })) {
    add(key, spelledKey.toUpperCase())
    add(spelledKey.toUpperCase(), key)
  }
  return names
}

/**
 * Returns all known present and former keys of a ticket, including the given one; in upper case.
 */
export async function namesOfTicket(scope: Scope, appId: string, key: string): Promise<string[]> {
  const given = key.toUpperCase()
  const rows = await scope.rows(SAME_TICKET, { appId, key: given })
  const names = rows.flatMap((row) => [row.key, row.spelledKey.toUpperCase()])
  return [...new Set([given, ...names])]
}
