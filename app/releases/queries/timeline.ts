import { of, select, variants, type RowOfSelect } from '#foundation/core/database/statement'
import { events } from '#foundation/core/events/tables'
import type { PageRequest } from '#foundation/api/pages'
import type { Scope } from '#foundation/core/scope'
import type { PublicTimelineEvent } from '../entities.js'
import type { TimelineQuery } from '../validators/release_input.js'

const ENTRIES = select(
  of(events, 'e'),
  'from events e where e.organization_id = :org and e.release_id = :releaseId'
)
type TimelineRow = RowOfSelect<typeof ENTRIES>

const CONDITIONS = [
  ['stepConfigId', 'and e.step_config_id = :stepConfigId'],
  ['type', 'and e.type = :type'],
  ['from', 'and e.occurred_at >= :from'],
  ['to', 'and e.occurred_at <= :to'],
  ['before', 'and e.position < :before'],
] as const

const timelineWith = variants(ENTRIES, 'order by e.position desc limit :limit')

/** Returns entries of a release's timeline, newest first; only of one step if it is given. */
export async function timelineRows(
  scope: Scope,
  releaseInternalId: string,
  filters: TimelineQuery & { stepConfigId?: string },
  { limit, after }: PageRequest
): Promise<TimelineRow[]> {
  const { stepConfigId, type, from, to } = filters
  const given = { stepConfigId, type, from, to, before: after?.[0] }
  const conditions = CONDITIONS.filter(([name]) => given[name] !== undefined)
  const statement = timelineWith(conditions.map(([, condition]) => condition).join(' '))
  const bindings = Object.fromEntries(conditions.map(([name]) => [name, given[name]!]))
  return scope.rows(statement, { releaseId: releaseInternalId, limit, ...bindings })
}

/** Returns a timeline entry as the API shows it. */
export function timelineEvent(releaseId: string) {
  return (row: TimelineRow): PublicTimelineEvent => ({
    id: row.id,
    type: row.type,
    title: row.title,
    occurredAt: row.occurredAt,
    actor: row.actor,
    releaseId,
    stepConfigId: row.stepConfigId,
    data: row.data,
    position: row.position!,
    previousHash: row.previousHash!,
    hash: row.hash!,
  })
}
