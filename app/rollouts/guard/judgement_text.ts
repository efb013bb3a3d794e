import type { Finding } from '../tables.js'

const WORDS = { healthy: 'healthy', unhealthy: 'unhealthy', notEnoughData: 'not enough data yet' }
const percent = (rate: number | null) =>
  rate === null ? 'nothing' : `${(100 * rate).toFixed(2)} %`
const counted = (count: number) => count.toLocaleString('en')

/** Describes a judgement for people: the verdict, and the numbers behind it. */
export function judgementText(found: Finding): string {
  const { metric, verdict, rate, baselineRate, current, baseline, allowedShare } = found
  const before = baseline ? ` (before: ${percent(baselineRate)} of ${counted(baseline.of)})` : ''
  const allowed =
    verdict === 'unhealthy' || typeof allowedShare !== 'number'
      ? ''
      : `, enough for ${Math.floor(1e4 * allowedShare) / 100} % of users`
  return `${metric}: ${WORDS[verdict]}, ${percent(rate)} of ${counted(current.of)}${before}${allowed}`
}
