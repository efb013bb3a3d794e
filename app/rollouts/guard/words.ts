import type { Found } from '../tables.js'

const WORDS = { healthy: 'healthy', unhealthy: 'unhealthy', notEnoughData: 'not enough data' }
const percent = (rate: number | null) =>
  rate === null ? 'nothing' : `${(100 * rate).toFixed(2)} %`

/** A judgement for people: the word, and the numbers behind it. */
export function wordsOf({ metric, verdict, rate, baselineRate, current, baseline }: Found): string {
  const before = baseline ? ` (before: ${percent(baselineRate)} of ${baseline.of})` : ''
  return `${metric}: ${WORDS[verdict]}, ${percent(rate)} of ${current.of}${before}`
}
