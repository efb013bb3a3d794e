import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import type { Sample } from '../guard/bounds.js'
import { rollouts } from '../tables.js'
import type { CRASH_MEASURES } from '../vocabulary.js'

const JUDGED = select(
  of(rollouts, 'r', ['releaseId', 'judgements']),
  `from rollouts r where r.organization_id = :org and r.release_id in json(:releaseIds)`
)

const METRIC: (typeof CRASH_MEASURES)[number] = 'crashFreeSessions'

/**
 * Returns the sessions that the guard counted last, and those with a crash, by internal release id:
 * the sum over its stores. Releases without the metric `crashFreeSessions` are absent.
 */
export async function countedSessions(
  scope: Scope,
  releaseIds: readonly string[]
): Promise<Map<string, Sample>> {
  const counted = new Map<string, Sample>()
  for (const row of await scope.rows(JUDGED, { releaseIds: JSON.stringify(releaseIds) })) {
    const sample = row.judgements.find(({ metric }) => metric === METRIC)?.current
    if (!sample || sample.of === 0) continue
    const before = counted.get(row.releaseId) ?? { of: 0, bad: 0 }
    counted.set(row.releaseId, { of: before.of + sample.of, bad: before.bad + sample.bad })
  }
  return counted
}
