import type { InputErrors, PartiallyValid } from '#foundation/core/problems/input_errors'
import { isLocalDate, isZone } from '#planning/calendar/local_time'
import { CRASH_MEASURES, type MetricSource } from '../vocabulary.js'
import { budgetFault } from './budget.js'
import { countsUsersAlone, sourceName } from './observed.js'
import {
  meaningOf,
  policyFrom,
  type MetricInput,
  type PolicyInput,
  type RolloutPolicy,
} from './policy.js'
import type { Day } from '../guard/design_effect.js'
import { permitsGrowth } from '../guard/health.js'

/** The metric sources that an app has. */
export type Observed = ReadonlySet<MetricSource>

/** Days of counts of an app in a store, by the meaning of the metric. */
export type KnownTraffic = ReadonlyMap<string, readonly Day[]>

/** The conditions that a policy is checked against. */
export interface Ground {
  observed: Observed
  /** The type of the crash monitoring integration in use; null without one. */
  crashMonitor: string | null
  /** E-mail addresses of the organization's people, in lower case. */
  people: ReadonlySet<string>
  /** True if the store has its own ladder. */
  isApple: boolean
  /** The traffic in the store of the policy. */
  traffic: KnownTraffic
}

/**
 * Collects the errors of a policy that the schema cannot express, including that its rollouts could
 * never finish.
 * @param base the pointer of the policy in the input
 */
export function checkPolicy(
  policy: PartiallyValid<PolicyInput>,
  ground: Ground,
  errors: InputErrors,
  base = ''
): void {
  const add = (pointer: string, code: string, message: string) =>
    errors.add({ pointer: base + pointer, code, message })
  const { timezone, officeHours, quietDays, call } = policy
  if (timezone !== undefined && !isZone(timezone)) {
    add('/timezone', 'timezone', 'This is not a time zone such as Europe/Berlin.')
  }
  if (officeHours?.from && officeHours.to && officeHours.from >= officeHours.to) {
    add(
      '/officeHours/to',
      'never_finishes',
      'No rollout would ever grow: to has to be later than from.'
    )
  }
  for (const [index, day] of (quietDays ?? []).entries()) {
    if (day === undefined || isLocalDate(day)) continue
    add(`/quietDays/${index}`, 'date', 'This is not a date such as 2026-12-24.')
  }
  for (const [index, email] of (call ?? []).entries()) {
    if (email === undefined || ground.people.has(email.toLowerCase())) continue
    add(`/call/${index}`, 'unknown_user', `The organization has no user ${email}.`)
  }
  checkLadder(policy, ground, errors, base)
  checkGuard(policy, ground, errors, base)
}

function checkLadder(
  { ladder }: PartiallyValid<PolicyInput>,
  { isApple }: Ground,
  errors: InputErrors,
  base: string
): void {
  const pointer = `${base}/ladder`
  if (!errors.isWellFormed(pointer)) return
  const add = (code: string, message: string) => errors.add({ pointer, code, message })
  const shares = (ladder ?? []).flatMap((rung) => rung?.percentage ?? [])
  if (ladder === undefined && !isApple) add('required', 'A policy needs a ladder.')
  if (shares.some((share, index) => index > 0 && share <= shares[index - 1])) {
    add('order', 'The percentages of a ladder have to increase.')
  } else if (shares.length > 0 && shares.at(-1) !== 100) {
    add('never_finishes', 'The rollout would never reach all users: end the ladder at 100.')
  }
}

function checkGuard(
  policy: PartiallyValid<PolicyInput>,
  ground: Ground,
  errors: InputErrors,
  base: string
) {
  const { guard } = policy
  const metrics = guard?.metrics ?? []
  for (const [index, metric] of metrics.entries()) {
    if (metric) checkMetric(metric, ground, `${base}/guard/metrics/${index}`, errors)
  }
  if (!guard || metrics.length === 0) return
  const refuse = (pointer: string, message: string) =>
    errors.add({ pointer: base + pointer, code: 'never_finishes', message })
  if (metrics.every((metric) => metric && !permitsGrowth(metric))) {
    const message =
      'Reviews can stop a rollout but never let it grow: add a metric from another source.'
    return refuse('/guard', message)
  }
  // One uncounted metric is enough to hold every version: it never has enough data.
  const missing = metrics.find((metric) => metric && !ground.observed.has(sourceOf(metric)))
  if (missing && guard.whenUnsure !== 'grow') {
    const message = `The guard would never call a version healthy: nothing is observed. Add ${NEEDS[sourceOf(missing)]}, or say whenUnsure: grow.`
    return refuse('/guard', message)
  }
  if (!missing && errors.places.length === 0) {
    checkBudget(policyFrom(policy as PolicyInput), ground, refuse)
  }
}

const sourceOf = ({ source = 'events' }: { source?: MetricSource }) => source

/** Adds an error if the harm budget is too small for the known traffic of the app. */
function checkBudget(
  policy: RolloutPolicy,
  { isApple, traffic }: Ground,
  refuse: (pointer: string, message: string) => void
): void {
  for (const metric of policy.guard!.metrics) {
    const days = traffic.get(meaningOf(metric)) ?? []
    const found = budgetFault(policy, metric, days, isApple)
    if (found !== null) return refuse('/guard/harmBudget', found)
  }
}

const NEEDS: Readonly<Record<MetricSource, string>> = {
  events: 'a generic-analytics integration',
  crashMonitoring: 'a crash-monitoring integration',
  productAnalytics: 'a product-analytics integration',
  appReviews: 'an app-store integration',
}

/** Adds errors for fields that the source of a metric lacks or does not accept. */
function checkMetric(
  metric: PartiallyValid<MetricInput>,
  { crashMonitor }: Ground,
  at: string,
  errors: InputErrors
): void {
  const { source = 'events' } = metric
  const expect = (name: 'total' | 'bad' | 'measure', isNeeded: boolean, message: string) => {
    const pointer = `${at}/${name}`
    const isPresent = metric[name] !== undefined
    if (!errors.isWellFormed(pointer) || isPresent === isNeeded) return
    errors.add({ pointer, code: isNeeded ? 'required' : 'not_allowed', message })
  }
  const counts = source === 'events' || source === 'productAnalytics'
  for (const name of ['total', 'bad'] as const) {
    const message = counts
      ? `A metric with the source ${source} needs ${name}, the name of its events.`
      : `A metric with the source ${source} accepts no events.`
    expect(name, counts, message)
  }
  const measures = source === 'crashMonitoring'
  const message = measures
    ? `A metric with the source ${source} needs a measure: ${CRASH_MEASURES.join(', ')}.`
    : `A metric with the source ${source} accepts no measure.`
  expect('measure', measures, message)
  const { measure } = metric
  const isCounted = measure === 'crashFreeUsers' || !countsUsersAlone(crashMonitor)
  if (!measures || measure === undefined || isCounted) return
  errors.add({
    pointer: `${at}/measure`,
    code: 'never_finishes',
    message: `${sourceName(crashMonitor)} counts users and no sessions, so ${measure} would never be counted: name crashFreeUsers.`,
  })
}
