import { jobs } from '#foundation/core/jobs/tables'
import { earlier, type Instant } from '#foundation/core/clock'
import { of, select } from '#foundation/core/database/statement'
import { DAY } from '#foundation/core/durations'
import { events } from '#foundation/core/events/tables'
import type { Scope } from '#foundation/core/scope'
import { integrationCalls } from '#integrations/tables'
import { verifyTimeline } from '#releases/queries/verify_timeline'
import { releases } from '#releases/tables'
import { gapsIn, refusedTwice } from './audit_rules.js'
import type { Audited } from './plan.js'

const OVERDUE = select(
  of(jobs, 'a', ['kind', 'subject', 'state']),
  `from jobs a where a.organization_id = :org and a.finished_at is null
    and (a.claim_id is not null or a.due_at < :before)
  order by a.rowid`
)
const GIVEN_UP = select(
  of(jobs, 'a', ['kind', 'lastError']),
  `from jobs a where a.organization_id = :org and a.state = 'failed' order by a.rowid`
)
const SEQUENCES = select(
  of(events, 'e', ['sequence', 'type', 'actor']),
  'from events e where e.organization_id = :org order by e.sequence'
)
const RELEASES = select(
  of(releases, 'r', ['id', 'version']),
  'from releases r where r.organization_id = :org order by r.rowid'
)
const REFUSED = select(
  of(integrationCalls, 'c', ['calledAt', 'method', 'path', 'status', 'pluginId']),
  `from integration_calls c where c.organization_id = :org and c.method <> 'GET'
    and c.plugin_id in ('sim-apple', 'sim-google')
  order by c.rowid limit 100000`
)

/**
 * Checks that a rehearsal left nothing half done: no overdue job waits, every timeline verifies, no
 * public event is missing, and every event has an actor.
 */
export async function audit(scope: Scope, now: Instant): Promise<Audited> {
  const overdue = await scope.rows(OVERDUE, { before: earlier(now, 2 * DAY) })
  const rows = await scope.rows(SEQUENCES, {})
  const numbered = rows.flatMap(({ sequence }) => sequence ?? [])
  const broken: string[] = []
  for (const { id, version } of await scope.rows(RELEASES, {})) {
    const found = await verifyTimeline(scope, id)
    if (found.broken) broken.push(`${version}: ${found.broken.reason}`)
  }
  return {
    stuck: overdue.map(({ kind, state }) => `${kind} is ${state}`),
    givenUp: (await scope.rows(GIVEN_UP, {})).map(({ kind, lastError }) => `${kind}: ${lastError}`),
    brokenTimelines: broken,
    missingEvents: gapsIn(numbered),
    withoutCause: rows.flatMap(({ type, actor }) => (actor?.name ? [] : [type])),
    refusedTwice: refusedTwice(await scope.rows(REFUSED, {})),
  }
}
