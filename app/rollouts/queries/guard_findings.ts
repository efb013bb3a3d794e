import { of, select } from '#foundation/core/database/statement'
import { later } from '#foundation/core/clock'
import { HOUR } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import { guardFindings, type Finding, type RolloutRow } from '../tables.js'

/** Time after which an unchanged finding is stored again, in milliseconds. */
const REPEAT_AFTER = HOUR

/** Maximum number of findings per metric in an answer; further ones are left out evenly. */
export const MAX_FINDINGS = 300

const SHOWN = of(guardFindings, 'l', [
  'integrationId',
  'metric',
  'at',
  'percentage',
  'verdict',
  'rate',
  'baselineRate',
  'harmBudget',
  'total',
  'bad',
])

const FINDINGS = select(
  SHOWN,
  `from (
    select k.*,
      row_number() over (partition by k.integration_id, k.metric order by k.at) as nth,
      count(*) over (partition by k.integration_id, k.metric) as findings
    from rollout_looks k where k.organization_id = :org and k.release_id = :releaseId
  ) l
  where l.nth = l.findings or (l.nth - 1) % ((l.findings + ${MAX_FINDINGS - 2}) / ${MAX_FINDINGS - 1}) = 0
  order by l.metric, l.at`
)

/** Returns the findings of guards about a release by metric, the oldest first. */
export const findingsOf = (scope: Scope, releaseId: string) => scope.rows(FINDINGS, { releaseId })

/**
 * Stores the findings of a check, except those that repeat recent ones: while a store is being
 * called, the guard checks every few minutes.
 */
export async function storeFindings(
  scope: Scope,
  { releaseId, integrationId, judgements, stages }: RolloutRow,
  found: readonly Finding[]
): Promise<void> {
  // A policy may give two metrics the same name: the last one counts, as in the timeline.
  const byName = [...new Map(found.map((each) => [each.metric, each])).values()]
  const stored = byName.filter((each) => {
    const before = judgements.find(({ metric }) => metric === each.metric)
    return !before || isWorthStoring(before, each)
  })
  await scope.insert(
    guardFindings,
    stored.map((each) => ({
      releaseId,
      integrationId,
      metric: each.metric,
      at: each.at,
      percentage: stages.at(-1)!.percentage,
      verdict: each.verdict,
      rate: each.rate,
      baselineRate: each.baselineRate,
      harmBudget: each.harmBudget ?? null,
      total: each.current.of,
      bad: each.current.bad,
    }))
  )
}

function isWorthStoring(before: Finding, found: Finding): boolean {
  if (found.at <= before.at) return false
  const isSame =
    before.verdict === found.verdict &&
    before.current.of === found.current.of &&
    before.current.bad === found.current.bad
  return !isSame || found.at >= later(before.at, REPEAT_AFTER)
}
