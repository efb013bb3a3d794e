import { as, of, select, type RowOfSelect } from '#foundation/core/database/statement'
import { text } from '#foundation/core/database/table'
import { events } from '#foundation/core/events/tables'
import { firstHash, timelineHash } from '#foundation/core/events/timeline_hash'
import type { Scope } from '#foundation/core/scope'

/** The first broken link of a chain. */
interface BrokenLink {
  /** Place in the timeline, from 1. */
  position: number
  /** The entry at that place; null if it is missing. */
  eventId: string | null
  reason: string
}

interface Verification {
  /** Number of valid entries, counted from the first. */
  entries: number
  /** The hash of the last valid entry; without one, the hash that the chain begins with. */
  hash: string
  broken: BrokenLink | null
}

/** Entries under verification may be corrupt, so they are read as raw text. */
const ENTRIES = select(
  {
    ...of(events, 'e', ['id', 'type', 'title', 'occurredAt', 'stepConfigId']),
    ...of(events, 'e', ['position', 'previousHash', 'hash']),
    actor: as(text(), 'e.actor'),
    data: as(text(), 'e.data'),
  },
  `from events e where e.organization_id = :org and e.release_id = :releaseId
    and e.position > :after order by e.position limit :limit`
)
type Entry = RowOfSelect<typeof ENTRIES>

const ENTRIES_PER_READ = 500

/**
 * Verifies the timeline of a release: each entry contains the hash of the previous one, its own
 * hash matches its content, no entry is missing, and the last entry matches the separately stored
 * end.
 */
export async function verifyTimeline(scope: Scope, releaseId: string): Promise<Verification> {
  let entries = 0
  let hash = firstHash(releaseId)
  const broken = (eventId: string | null, reason: string): Verification => ({
    entries,
    hash,
    broken: { position: entries + 1, eventId, reason },
  })

  for (;;) {
    // Read before the entries, so that the next read finds entries written meanwhile.
    const end = await timelineEnd(scope, releaseId)
    const bindings = { releaseId, after: entries, limit: ENTRIES_PER_READ }
    const rows = await scope.rows(ENTRIES, bindings)
    for (const row of rows) {
      if (row.position !== entries + 1) return broken(null, 'The entry is missing.')
      if (row.previousHash !== hash) {
        return broken(row.id, 'The entry does not contain the hash of the one before it.')
      }
      if (row.hash === null || row.hash !== hashOf(row))
        return broken(row.id, 'The hash of the entry does not match its content.')
      entries = row.position
      hash = row.hash
    }
    if (rows.length > 0) continue
    if (end && end.position > entries) return broken(null, 'The entry is missing.')
    if (end?.position !== entries || end.hash !== hash) {
      return broken(null, 'The end of the timeline differs from the one that is stored separately.')
    }
    return { entries, hash, broken: null }
  }
}

/** Returns the end of the timeline, which every write stores separately from the entries. */
export async function timelineEnd(
  scope: Scope,
  releaseId: string
): Promise<{ position: number; hash: string } | null> {
  return scope
    .table('event_streams')
    .where('release_id', releaseId)
    .select('position', 'hash')
    .first()
}

/** Returns the hash of an entry's content; null when it is not valid JSON. */
function hashOf(row: Entry): string | null {
  try {
    return timelineHash(row.previousHash ?? '', {
      id: row.id,
      type: row.type,
      title: row.title,
      occurredAt: row.occurredAt,
      actor: JSON.parse(row.actor),
      stepConfigId: row.stepConfigId,
      data: JSON.parse(row.data),
    })
  } catch {
    return null
  }
}
