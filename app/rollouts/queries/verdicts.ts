import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { rollouts, type Finding } from '../tables.js'

const UNDER_WAY = select(
  of(rollouts, 'o', ['releaseId', 'judgements']),
  `from rollouts o where o.organization_id = :org and o.release_id in json(:ids)
    and o.ended_at is null`
)

type Verdict = Finding['verdict']

/** Verdicts from the worst to the best. */
const WORST: readonly Verdict[] = ['unhealthy', 'notEnoughData', 'healthy']

/** Returns the worst verdicts of guards about releases that are rolled out, by internal id. */
export async function verdictsOf(
  scope: Scope,
  ids: readonly string[]
): Promise<Map<string, Verdict>> {
  const worst = new Map<string, Verdict>()
  if (ids.length === 0) return worst
  for (const row of await scope.rows(UNDER_WAY, { ids: JSON.stringify(ids) })) {
    for (const { verdict } of row.judgements) {
      const known = worst.get(row.releaseId)
      const isWorse = known === undefined || WORST.indexOf(verdict) < WORST.indexOf(known)
      if (isWorse) worst.set(row.releaseId, verdict)
    }
  }
  return worst
}
