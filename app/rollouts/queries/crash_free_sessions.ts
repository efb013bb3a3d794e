import { of, select, type RowOfSelect } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { sumOf, type Sample } from '../guard/bounds.js'
import { rollouts } from '../tables.js'
import type { CRASH_MEASURES } from '../vocabulary.js'

const JUDGED = select(
  of(rollouts, 'r', ['releaseId', 'judgements']),
  `from rollouts r where r.organization_id = :org and r.release_id in json(:releaseIds)`
)

const METRIC: (typeof CRASH_MEASURES)[number] = 'crashFreeSessions'

/**
 * Returns the sessions that the guard counted last, and those with a crash, by internal release id:
 * the sum over its stores, of those that have the metric `crashFreeSessions`.
 */
export async function countedSessions(
  scope: Scope,
  releaseIds: readonly string[]
): Promise<Map<string, Sample>> {
  const rows = await scope.rows(JUDGED, { releaseIds: JSON.stringify(releaseIds) })
  const byRelease = Map.groupBy(rows, ({ releaseId }) => releaseId)
  return new Map([...byRelease].map(([releaseId, stores]) => [releaseId, sessionsOf(stores)]))
}

const sessionsOf = (stores: readonly RowOfSelect<typeof JUDGED>[]): Sample =>
  sumOf(
    stores.flatMap(({ judgements }) =>
      judgements.filter(({ metric }) => metric === METRIC).map(({ current }) => current)
    )
  )
