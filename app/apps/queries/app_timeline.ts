import {
  of,
  select,
  variants,
  type Bindings,
  type RowOfSelect,
} from '#foundation/core/database/statement'
import { events } from '#foundation/core/events/tables'
import type { PageRequest } from '#foundation/api/pages'
import type { Scope } from '#foundation/core/scope'
import type { AppTimelineEvent } from '../entities.js'

/** Filters of an app's timeline. */
export interface AppTimelineQuery {
  type?: string
  from?: string
  to?: string
}

const ENTRIES = select(
  of(events, 'e', ['id', 'type', 'title', 'occurredAt', 'actor', 'data']),
  `from events e where e.organization_id = :org and e.app_id = :appId
    and e.release_id is null and e.sequence is null`
)
type TimelineRow = RowOfSelect<typeof ENTRIES>

const CONDITIONS = [
  ['type', 'and e.type = :type'],
  ['from', 'and e.occurred_at >= :from'],
  ['to', 'and e.occurred_at <= :to'],
  ['beforeId', 'and (e.occurred_at < :before or (e.occurred_at = :before and e.id < :beforeId))'],
] as const

const timelineWith = variants(ENTRIES, 'order by e.occurred_at desc, e.id desc limit :limit')

/** Returns the events that belong to an app and to none of its releases, newest first. */
export async function appTimelineRows(
  scope: Scope,
  appId: string,
  { type, from, to }: AppTimelineQuery,
  { limit, after }: PageRequest
): Promise<TimelineRow[]> {
  const given = { type, from, to, beforeId: after?.[1] }
  const conditions = CONDITIONS.filter(([name]) => given[name] !== undefined)
  const statement = timelineWith(conditions.map(([, condition]) => condition).join(' '))
  const bindings = Object.fromEntries(conditions.map(([name]) => [name, given[name]!]))
  const place: Bindings = after ? { before: after[0] } : {}
  return scope.rows(statement, { appId, limit, ...bindings, ...place })
}

/** Converts a row to an entry of an app's timeline as the API shows it. */
export function appTimelineEvent(appId: string) {
  return (row: TimelineRow): AppTimelineEvent => ({
    id: row.id,
    type: row.type,
    title: row.title,
    occurredAt: row.occurredAt,
    actor: row.actor,
    appId,
    data: row.data,
  })
}
