import type { Instant } from '#foundation/core/clock'
import type { Scope } from '#foundation/core/scope'
import type { MonitoringStatistic } from '#stores/extensions'
import { latenessText } from '../guard/late_words.js'
import type { Finding } from '../tables.js'
import { rolloutsOf } from '../watch_rollouts.js'

/** Returns the last findings about a release in one store, for runs of rollout steps. */
export async function statisticsOf(
  scope: Scope,
  releaseId: string,
  integrationId: string
): Promise<MonitoringStatistic[]> {
  const rows = await rolloutsOf(scope, releaseId)
  const row = rows.find((each) => each.integrationId === integrationId)
  return (row?.judgements ?? []).map((each) => statistic(each, scope.now))
}

/** Returns the findings about one metric, as the API shows them. */
export function statistic(found: Finding, now: Instant): MonitoringStatistic {
  const { metric, verdict, rate, baselineRate, current, baseline, harmBudget, at } = found
  const { designEffect = null, greatestDrop = null, allowedShare = null } = found
  const [value, previousValue] = [percent(rate), percent(baselineRate)]
  const hasBoth = value !== null && previousValue !== null
  return {
    metric,
    value,
    previousValue,
    delta: hasBoth ? rounded(value - previousValue) : null,
    threshold:
      previousValue === null || harmBudget === undefined
        ? null
        : { operator: '>=', value: rounded(previousValue - 100 * harmBudget) },
    healthy: verdict === 'notEnoughData' ? null : verdict === 'healthy',
    buildNumber: null,
    environment: 'production',
    measuredAt: at,
    late: lateOf(found, now),
    verdict,
    sample: { total: current.of, bad: current.bad },
    designEffect: designEffect && {
      value: rounded(designEffect.value),
      estimated: designEffect.isEstimated,
    },
    greatestDrop: percent(greatestDrop),
    allowedPercentage: allowedShare === null ? null : Math.floor(1e4 * allowedShare) / 100,
    previousSample: baseline && { total: baseline.of, bad: baseline.bad },
  }
}

function lateOf(found: Finding, now: Instant): MonitoringStatistic['late'] {
  const message = latenessText(found, now)
  return message === null ? null : { until: found.late!.until, message: `${message}.` }
}

/** Rounds to four decimals of a percent: one of a million sessions. */
const rounded = (value: number) => Math.round(value * 1e4) / 1e4
const percent = (rate: number | null) => (rate === null ? null : rounded(100 * rate))
