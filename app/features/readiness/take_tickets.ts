import { yieldToOthers } from '#foundation/core/yielding'
import { change, of, select } from '#foundation/core/database/statement'
import { storedRow } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import type { Ticket } from '#plugin-kit/capabilities/work'
import type Release from '#releases/models/release'
import type { ReleaseFeatures } from '../queries/release_features.js'
import { releaseFeatures, releaseTickets, trackerTickets } from '../tables.js'
import type { SeenTracker } from '../work/tickets_look.js'

const KNOWN = select(
  of(trackerTickets, 't'),
  `from tracker_tickets t where t.organization_id = :org and t.app_id = :appId
    and t.integration_id = :integrationId and t.key in json(:keys)`
)
const UPDATE = change(
  `update tracker_tickets set spelled_key = :spelled_key, is_known = :is_known,
    ticket_id = :ticket_id, title = :title, status = :status, done = :done, url = :url,
    assignee = :assignee, fix_versions = :fix_versions, seen_at = :seen_at, changed_at = :changed_at
  where organization_id = :org and app_id = :app_id and integration_id = :integration_id
    and key = :key`
)
const UPDATE_SEEN_AT = change(
  `update tracker_tickets set seen_at = :now where organization_id = :org and app_id = :appId
    and integration_id = :integrationId and key in json(:keys)`
)
const AFFILIATED = select(
  of(releaseTickets, 't', ['key']),
  `from release_tickets t where t.organization_id = :org and t.release_id = :releaseId
    and t.integration_id = :integrationId`
)
const DELETE = change(
  `delete from release_tickets where organization_id = :org and release_id = :releaseId
    and integration_id = :integrationId and key in json(:keys)`
)
const DELETE_OTHERS = change(
  `delete from release_tickets where organization_id = :org and release_id = :releaseId
    and not (integration_id in json(:kept))`
)

/** Includes tickets that no longer exist. */
const CHANGED = select(
  of(trackerTickets, 't', ['key']),
  `from tracker_tickets t where t.organization_id = :org and t.app_id = :appId
    and t.changed_at >= :since and t.key in json(:keys) limit 1`
)

/**
 * Stores an observation of a release's tickets.
 * @returns whether anything has changed
 */
export async function takeTickets(
  scope: Scope,
  release: Release,
  features: ReleaseFeatures,
  trackers: readonly SeenTracker[]
): Promise<boolean> {
  const { id: releaseId, appId } = release
  let hasChanged = features.ticketsSeenAt === null
  const kept = JSON.stringify(trackers.map(({ integrationId }) => integrationId))
  const { count } = await scope.change(DELETE_OTHERS, { releaseId, kept })
  if (count > 0) hasChanged = true
  for (const tracker of trackers) {
    await storeTickets(scope, appId, tracker)
    if (await storeAffiliations(scope, { releaseId, appId }, tracker)) hasChanged = true
  }
  // A poll for another release may have changed a shared ticket.
  const since = features.ticketsSeenAt ?? ''
  const keys = JSON.stringify([...features.mentioned, ...trackers.flatMap(keysOf)])
  if ((await scope.rows(CHANGED, { appId, keys, since })).length > 0) hasChanged = true
  await scope.update(releaseFeatures, { releaseId }, { ticketsSeenAt: scope.now })
  return hasChanged
}

const keysOf = ({ affiliated }: SeenTracker) => affiliated.map(({ key }) => key.toUpperCase())

/** Number of tickets processed before yielding the thread. */
const TICKETS_PER_SLICE = 50

async function storeTickets(scope: Scope, appId: string, tracker: SeenTracker): Promise<void> {
  const { integrationId, affiliated, named, asked: requested, otherwise, doneStatuses } = tracker
  const seen = new Map<string, ReturnType<typeof rowOf>>()
  for (const key of requested) {
    const ticket = otherwise.get(key)
    seen.set(key, ticket ? { ...rowOf(ticket, doneStatuses), key } : unknown(key))
  }
  for (const ticket of [...named, ...affiliated]) {
    const row = rowOf(ticket, doneStatuses)
    seen.set(row.key, row)
  }
  if (seen.size === 0) return
  const columns = { appId, integrationId }
  const keys = JSON.stringify([...seen.keys()])
  const rows = await scope.rows(KNOWN, { ...columns, keys })
  const known = new Map(rows.map((row) => [row.key, row]))
  const added = []
  const unchanged: string[] = []
  for (const [index, [key, found]] of [...seen].entries()) {
    if (index % TICKETS_PER_SLICE === 0) await yieldToOthers()
    const before = known.get(key)
    if (!before) {
      added.push({ ...columns, ...found, seenAt: scope.now, changedAt: scope.now })
      continue
    }
    const row = found.isKnown ? found : { ...found, spelledKey: before.spelledKey }
    if (isSame(before, row)) {
      unchanged.push(key)
      continue
    }
    const changed = { ...columns, ...row, seenAt: scope.now, changedAt: scope.now }
    await scope.change(UPDATE, storedRow(trackerTickets, changed))
  }
  await scope.insert(trackerTickets, added)
  if (unchanged.length > 0) {
    await scope.change(UPDATE_SEEN_AT, {
      ...columns,
      keys: JSON.stringify(unchanged),
      now: scope.now,
    })
  }
}

function rowOf(
  { id, key, title, status, done, url, assignee, versions }: Ticket,
  doneStatuses: readonly string[]
) {
  return {
    key: key.toUpperCase().slice(0, 200),
    spelledKey: key.slice(0, 200),
    isKnown: true,
    ticketId: id.slice(0, 200),
    title: title.slice(0, 1000),
    status: status.slice(0, 100),
    done: done || doneStatuses.includes(status.toLowerCase()),
    url: url?.slice(0, 2048) ?? null,
    assignee: assignee?.slice(0, 320) ?? null,
    fixVersions: versions.slice(0, 100).map((each) => each.slice(0, 100)),
  }
}

/** Returns the row for a text that is not a ticket key, stored to delay the next request for it. */
const unknown = (key: string): ReturnType<typeof rowOf> => ({
  key,
  spelledKey: key,
  isKnown: false,
  ticketId: '',
  title: '',
  status: '',
  done: false,
  url: null,
  assignee: null,
  fixVersions: [],
})

function isSame<Row extends object>(before: Row, row: Partial<Row>): boolean {
  return Object.entries(row).every(
    ([name, value]) => JSON.stringify(before[name as keyof Row]) === JSON.stringify(value)
  )
}

async function storeAffiliations(
  scope: Scope,
  { releaseId, appId }: { releaseId: string; appId: string },
  { integrationId, affiliated }: SeenTracker
): Promise<boolean> {
  const columns = { releaseId, integrationId }
  const rows = await scope.rows(AFFILIATED, columns)
  const before = new Set(rows.map(({ key }) => key))
  const now = new Set(affiliated.map(({ key }) => key.toUpperCase().slice(0, 200)))
  const added = [...now].filter((key) => !before.has(key))
  const removed = [...before].filter((key) => !now.has(key))
  await scope.insert(
    releaseTickets,
    added.map((key) => ({ appId, ...columns, key }))
  )
  if (removed.length > 0) await scope.change(DELETE, { ...columns, keys: JSON.stringify(removed) })
  return added.length + removed.length > 0
}
