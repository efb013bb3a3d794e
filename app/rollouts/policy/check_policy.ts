import type { Faults, Sound } from '#foundation/core/problems/faults'
import { isLocalDate, isZone } from '#planning/calendar/local_time'
import { CRASH_MEASURES, type MetricSource } from '../vocabulary.js'
import type { GivenMetric, GivenPolicy } from './policy.js'

/** What an app has that a guard could look at. */
export type Observed = ReadonlySet<MetricSource>

/**
 * Gathers what is wrong with a policy beyond its shape, and what could never finish.
 * @param base where the policy stands in what was sent
 */
export function checkPolicy(
  policy: Sound<GivenPolicy>,
  observed: Observed,
  faults: Faults,
  base = ''
): void {
  const add = (pointer: string, code: string, message: string) =>
    faults.add({ pointer: base + pointer, code, message })
  const { timezone, officeHours, quietDays, ladder, guard, finishWithinDays } = policy
  if (timezone !== undefined && !isZone(timezone)) {
    add('/timezone', 'timezone', 'This is no time zone such as Europe/Berlin.')
  }
  if (officeHours?.from && officeHours.to && officeHours.from >= officeHours.to) {
    add('/officeHours/to', 'never_finishes', 'Nothing ever grows: to comes after from.')
  }
  for (const [index, day] of (quietDays ?? []).entries()) {
    if (day === undefined || isLocalDate(day)) continue
    add(`/quietDays/${index}`, 'date', 'This is no day such as 2026-12-24.')
  }
  const shares = (ladder ?? []).flatMap((rung) => rung?.percentage ?? [])
  if (shares.some((share, index) => index > 0 && share <= shares[index - 1])) {
    add('/ladder', 'order', 'The percentages of a ladder rise.')
  } else if (shares.length > 0 && shares.at(-1) !== 100) {
    add('/ladder', 'never_finishes', 'It would never be with all: end the ladder at 100.')
  }
  const metrics = guard?.metrics ?? []
  for (const [index, metric] of metrics.entries()) {
    if (metric) checkMetric(metric, `${base}/guard/metrics/${index}`, faults)
  }
  if (!guard || (finishWithinDays ?? null) !== null) return
  // One metric that nobody counts is enough: it never has enough data.
  const missing = metrics.findIndex((metric) => metric && !observed.has(metric.source ?? 'events'))
  if (missing < 0) return
  const message = `The guard would never call a version healthy: nothing is observed. Add ${NEEDS[metrics[missing]!.source ?? 'events']}, or say finishWithinDays.`
  add('/guard', 'never_finishes', message)
}

const NEEDS: Readonly<Record<MetricSource, string>> = {
  events: 'a generic-analytics integration',
  crashMonitoring: 'an integration of crash monitoring',
  productAnalytics: 'an integration of product analytics',
  appReviews: 'an integration of an app store',
}

/** Each source asks for members of its own. */
function checkMetric(metric: Sound<GivenMetric>, at: string, faults: Faults): void {
  const { source = 'events' } = metric
  const expect = (name: 'total' | 'bad' | 'measure', isNeeded: boolean, message: string) => {
    const pointer = `${at}/${name}`
    const isThere = metric[name] !== undefined
    if (!faults.isSound(pointer) || isThere === isNeeded) return
    faults.add({ pointer, code: isNeeded ? 'required' : 'not_allowed', message })
  }
  const counts = source === 'events' || source === 'productAnalytics'
  for (const name of ['total', 'bad'] as const) {
    const message = counts
      ? `A metric of ${source} says which events are its ${name}.`
      : `A metric of ${source} has no events.`
    expect(name, counts, message)
  }
  const measures = source === 'crashMonitoring'
  const message = measures
    ? `A metric of ${source} says its measure: ${CRASH_MEASURES.join(', ')}.`
    : `A metric of ${source} has no measure.`
  expect('measure', measures, message)
}
