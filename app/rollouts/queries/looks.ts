import { of, select } from '#foundation/core/database/statement'
import { later } from '#foundation/core/clock'
import { HOUR } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import { rolloutLooks, type Finding, type RolloutRow } from '../tables.js'

/** Equal findings are stored once in this time, in milliseconds. */
const KEPT_EVERY = HOUR

/** The most findings per metric in an answer; others are left out evenly. */
export const MOST_LOOKS = 300

const SHOWN = of(rolloutLooks, 'l', [
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

const LOOKS = select(
  SHOWN,
  `from (
    select k.*,
      row_number() over (partition by k.integration_id, k.metric order by k.at) as place,
      count(*) over (partition by k.integration_id, k.metric) as looks
    from rollout_looks k where k.organization_id = :org and k.release_id = :releaseId
  ) l
  where l.place = l.looks or (l.place - 1) % ((l.looks + ${MOST_LOOKS - 2}) / ${MOST_LOOKS - 1}) = 0
  order by l.metric, l.at`
)

/** Returns the findings of guards about a release, check by check, with a limit per metric. */
export const looksOf = (scope: Scope, releaseId: string) => scope.rows(LOOKS, { releaseId })

/**
 * Stores the findings of a check that differ from the last ones: while a store is being called, the
 * guard checks every few minutes.
 */
export async function storeLooks(
  scope: Scope,
  { releaseId, integrationId, judgements, stages }: RolloutRow,
  found: readonly Finding[]
): Promise<void> {
  // A policy may give two metrics the same name: the last one counts, as in the timeline.
  const named = [...new Map(found.map((each) => [each.metric, each])).values()]
  const news = named.filter((each) => {
    const before = judgements.find(({ metric }) => metric === each.metric)
    return !before || isNews(before, each)
  })
  await scope.insert(
    rolloutLooks,
    news.map((each) => ({
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

function isNews(before: Finding, found: Finding): boolean {
  if (found.at <= before.at) return false
  const isSame =
    before.verdict === found.verdict &&
    before.current.of === found.current.of &&
    before.current.bad === found.current.bad
  return !isSame || found.at >= later(before.at, KEPT_EVERY)
}
