import type { PageRequest } from '#foundation/api/pages'
import type { Scope } from '#foundation/core/scope'
import type { PublicTimelineEvent } from '../entities.js'
import type { TimelineQuery } from '../validators/release_input.js'

interface TimelineRow {
  id: string
  type: string
  title: string
  occurred_at: string
  actor: string
  step_config_id: string | null
  data: string
  position: number
  previous_hash: string
  hash: string
}

/** Entries of a release's timeline, newest first; of one step when its config is given. */
export async function timelineRows(
  scope: Scope,
  releaseInternalId: string,
  filters: TimelineQuery & { stepConfigId?: string },
  { limit, after }: PageRequest
): Promise<TimelineRow[]> {
  const query = scope
    .table('events')
    .where('release_id', releaseInternalId)
    .orderBy('position', 'desc')
    .limit(limit)
    .select(
      'id',
      'type',
      'title',
      'occurred_at',
      'actor',
      'step_config_id',
      'data',
      'position',
      'previous_hash',
      'hash'
    )
  if (filters.stepConfigId) query.where('step_config_id', filters.stepConfigId)
  if (filters.type) query.where('type', filters.type)
  if (filters.from) query.where('occurred_at', '>=', filters.from)
  if (filters.to) query.where('occurred_at', '<=', filters.to)
  if (after) query.where('position', '<', after[0])
  return query
}

/** A timeline entry as the API shows it. */
export function timelineEvent(releaseId: string) {
  return (row: TimelineRow): PublicTimelineEvent => ({
    id: row.id,
    type: row.type,
    title: row.title,
    occurredAt: row.occurred_at,
    actor: JSON.parse(row.actor),
    releaseId,
    stepConfigId: row.step_config_id,
    data: JSON.parse(row.data),
    position: row.position,
    previousHash: row.previous_hash,
    hash: row.hash,
  })
}
