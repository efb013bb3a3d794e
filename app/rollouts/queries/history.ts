import { of, select } from '#foundation/core/database/statement'
import { events } from '#foundation/core/events/tables'
import type { Scope } from '#foundation/core/scope'
import { MOST_HISTORY } from '../vocabulary.js'

/** Timeline types of rollouts. */
const TYPES = [
  'release.released',
  'appStoreVersion.phasedReleaseUpdated',
  'store.asked',
  'store.adopted',
  'store.failed',
  'store.question',
  'store.reviewRestarted',
  'rollout.judged',
  'rollout.held',
  'rollout.stopped',
  'redButton.pressed',
]

/** Titles of submissions, which do not belong to the rollout. */
const OTHERS = ['submitted', 'withdrawn', 'was submitted', 'was withdrawn from review']

const ENTRIES = select(
  of(events, 'e', ['id', 'type', 'title', 'occurredAt', 'actor', 'data']),
  `from events e where e.organization_id = :org and e.release_id = :releaseId
    and e.type in (${TYPES.map((type) => `'${type}'`).join(', ')})
  order by e.position desc limit ${2 * MOST_HISTORY}`
)

/** Returns the timeline entries of a release's rollouts, newest first. */
export async function historyOf(scope: Scope, releaseId: string) {
  const entries = await scope.rows(ENTRIES, { releaseId })
  return entries
    .filter(({ data }) => !OTHERS.includes(String(data.what)))
    .slice(0, MOST_HISTORY)
    .map(({ data: _, ...entry }) => entry)
}
