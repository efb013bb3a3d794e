import { of, select } from '../database/statement.js'
import type { Scope } from '../scope.js'
import { eventCounters } from './tables.js'

const LAST = select(
  of(eventCounters, 'c', ['last']),
  'from event_counters c where c.organization_id = :org'
)

/** Returns the number of the organization's last public event; 0 before its first. */
export async function lastSequence(scope: Scope): Promise<number> {
  const [counter] = await scope.rows(LAST)
  return counter?.last ?? 0
}
