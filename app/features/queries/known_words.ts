import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { releaseCommits, trackerTickets } from '../tables.js'

const COMMITS = select(
  of(releaseCommits, 'c', ['hash', 'message', 'author', 'url']),
  `from release_commits c where c.organization_id = :org and c.app_id = :appId
    and c.hash in json(:hashes) limit 1000`
)
const TICKET = select(
  of(trackerTickets, 't', ['title']),
  `from tracker_tickets t where t.organization_id = :org and t.app_id = :appId
    and t.key = :key and t.is_known = true order by t.seen_at desc limit 1`
)

/** Returns the observed commits of an app by their full hashes. */
export async function seenByHash(scope: Scope, appId: string, hashes: readonly string[]) {
  if (hashes.length === 0) return new Map<string, never>()
  const rows = await scope.rows(COMMITS, { appId, hashes: JSON.stringify(hashes) })
  return new Map(rows.map((row) => [row.hash, row]))
}

/** Returns the title of a ticket by its key (case-insensitive); null if it was never observed. */
export async function seenTicketTitle(
  scope: Scope,
  appId: string,
  key: string
): Promise<string | null> {
  const [ticket] = await scope.rows(TICKET, { appId, key: key.toUpperCase() })
  return ticket?.title ?? null
}
