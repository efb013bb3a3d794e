import { InputErrors } from '#foundation/core/problems/input_errors'
import { checkPolicy, type Ground } from '#rollouts/policy/check_policy'
import {
  policyFrom,
  warningsOf,
  type GuardInput,
  type MetricInput,
  type PolicyInput,
  type RolloutPolicy,
} from '#rollouts/policy/policy'
import {
  CRASH_MEASURES,
  EVERY_DAY,
  HOTFIX_ROLLOUTS,
  MAX_LENGTHS,
  METRIC_SOURCES,
  MAX_ENTRIES,
  POLICY_BOUNDS,
  STOPS,
  WHEN_UNSURE,
} from '#rollouts/vocabulary'
import type { Inspector, Element } from './inspector.js'
import type { ConfigurationProblemCode } from './problems.js'

type GivenRung = NonNullable<PolicyInput['ladder']>[number]

/** Returns the names of all members a request may contain, in the order of messages. */
const fieldsOf = <Given>(members: Record<keyof Given, true>) =>
  Object.keys(members) as (keyof Given & string)[]

const FIELDS = fieldsOf<PolicyInput>({
  ladder: true,
  healthyHours: true,
  timezone: true,
  officeHours: true,
  weekdays: true,
  quietDays: true,
  finishWithinDays: true,
  call: true,
  guard: true,
  hotfix: true,
  stops: true,
})
const RUNG_FIELDS = fieldsOf<GivenRung>({ percentage: true, hours: true })
const GUARD_FIELDS = fieldsOf<GuardInput>({
  metrics: true,
  errorBound: true,
  harmBudget: true,
  whenUnsure: true,
  minimumSample: true,
  tolerance: true,
})
const METRIC_FIELDS = fieldsOf<MetricInput>({
  name: true,
  source: true,
  total: true,
  bad: true,
  measure: true,
})

/** The values read from an object. A request member that is not read here is a compile error. */
type ReadOf<Given> = { [Name in keyof Required<Given>]: Given[Name] }

/** The file's problem codes for errors that requests can have, too. */
const CODES: Record<string, ConfigurationProblemCode> = {
  date: 'invalid_date',
  timezone: 'invalid_timezone',
  order: 'wrong_order',
  never_finishes: 'never_finishes',
  unknown_user: 'member_unknown',
  required: 'required',
  not_allowed: 'not_allowed',
}

/** Checks `rollout` of `appStoreReleaseSettings`: the rollout policy, in the form of a request. */
export function checkRollout(
  inspector: Inspector,
  element: Element,
  ground: Ground
): RolloutPolicy | undefined {
  const found = inspector.problems.size
  const input = readPolicy(inspector, element)
  if (!input || inspector.problems.size > found) return undefined
  const errors = new InputErrors()
  checkPolicy(input, ground, errors)
  for (const { pointer, code, message } of errors.places) {
    inspector.problems.add(below(element, pointer!), CODES[code] ?? 'conflict', message)
  }
  if (errors.places.length > 0) return undefined
  for (const { pointer, code, message } of warningsOf(input, ground.isApple)) {
    inspector.problems.warn(below(element, pointer), code, message)
  }
  return policyFrom(input)
}

const boundsOf = (name: keyof typeof POLICY_BOUNDS): readonly [number, number] =>
  POLICY_BOUNDS[name]

function readPolicy(inspector: Inspector, element: Element): ReadOf<PolicyInput> | undefined {
  const fields = inspector.fields(element, FIELDS)
  if (!fields) return undefined
  const whole = (name: 'healthyHours' | 'finishWithinDays') =>
    inspector.optional(fields[name], (each) => inspector.integer(each, ...boundsOf(name)))
  const texts = (name: 'quietDays' | 'call', what: string, most: number, length: number) =>
    inspector.optional(fields[name], (each) =>
      inspector.items(each, what, most).flatMap((item) => inspector.text(item, length) ?? [])
    ) ?? undefined
  const ladder =
    inspector.optional(fields.ladder, (each) =>
      inspector
        .items(each, 'rungs', MAX_ENTRIES.rungs)
        .flatMap((item) => readRung(inspector, item) ?? [])
    ) ?? undefined
  const weekdays = inspector.optional(fields.weekdays, (each) =>
    inspector
      .items(each, 'days', EVERY_DAY.length)
      .flatMap((item) => inspector.integer(item, 1, 7) ?? [])
  )
  for (const [name, list] of Object.entries({ ladder, weekdays })) {
    const at = fields[name as 'ladder' | 'weekdays']
    if (list?.length === 0 && at?.node.kind === 'list' && at.node.items.length === 0) {
      inspector.problems.add(at, 'required', `${name} holds at least one entry`)
    }
  }
  if (weekdays && new Set(weekdays).size < weekdays.length) {
    inspector.problems.add(fields.weekdays ?? element, 'duplicate', 'A day is listed twice')
  }
  return {
    ladder,
    healthyHours: whole('healthyHours'),
    timezone:
      inspector.optional(fields.timezone, (each) => inspector.text(each, MAX_LENGTHS.timezone)) ??
      undefined,
    officeHours: inspector.optional(fields.officeHours, (each) => readHours(inspector, each)),
    weekdays: weekdays ?? undefined,
    quietDays: texts('quietDays', 'days', MAX_ENTRIES.quietDays, MAX_LENGTHS.day),
    finishWithinDays: whole('finishWithinDays'),
    call: texts('call', 'e-mail addresses', MAX_ENTRIES.called, MAX_LENGTHS.email),
    guard: inspector.optional(fields.guard, (each) => readGuard(inspector, each)),
    hotfix:
      inspector.optional(fields.hotfix, (each) => inspector.choice(each, HOTFIX_ROLLOUTS)) ??
      undefined,
    stops: inspector.optional(fields.stops, (each) => inspector.choice(each, STOPS)) ?? undefined,
  }
}

function readRung(inspector: Inspector, element: Element): ReadOf<GivenRung> | undefined {
  const fields = inspector.fields(element, RUNG_FIELDS)
  if (!fields) return undefined
  const percentage = inspector.required(element, 'percentage', fields.percentage, (each) =>
    inspector.number(each, ...POLICY_BOUNDS.percentage)
  )
  const hours = inspector.required(element, 'hours', fields.hours, (each) =>
    inspector.integer(each, ...POLICY_BOUNDS.hours)
  )
  return percentage === undefined || hours === undefined ? undefined : { percentage, hours }
}

function readHours(inspector: Inspector, element: Element) {
  const fields = inspector.fields(element, ['from', 'to'])
  if (!fields) return undefined
  const time = (name: 'from' | 'to') =>
    inspector.required(element, name, fields[name], (each) => inspector.localTime(each))
  const [from, to] = [time('from'), time('to')]
  return from === undefined || to === undefined ? undefined : { from, to }
}

function readGuard(inspector: Inspector, element: Element): ReadOf<GuardInput> | undefined {
  const fields = inspector.fields(element, GUARD_FIELDS)
  if (!fields) return undefined
  const number = (name: 'errorBound' | 'harmBudget' | 'tolerance') =>
    inspector.optional(fields[name], (each) => inspector.number(each, ...boundsOf(name))) ??
    undefined
  const metrics = inspector.required(element, 'metrics', fields.metrics, (each) =>
    inspector
      .items(each, 'metrics', MAX_ENTRIES.metrics)
      .flatMap((item) => readMetric(inspector, item) ?? [])
  )
  if (metrics?.length === 0 && fields.metrics?.node.kind === 'list') {
    if (fields.metrics.node.items.length === 0) {
      inspector.problems.add(fields.metrics, 'required', 'metrics holds at least one entry')
    }
  }
  return (
    metrics && {
      metrics,
      errorBound: number('errorBound'),
      harmBudget: number('harmBudget'),
      whenUnsure:
        inspector.optional(fields.whenUnsure, (each) => inspector.choice(each, WHEN_UNSURE)) ??
        undefined,
      minimumSample:
        inspector.optional(fields.minimumSample, (each) =>
          inspector.integer(each, ...POLICY_BOUNDS.minimumSample)
        ) ?? undefined,
      tolerance: number('tolerance'),
    }
  )
}

function readMetric(inspector: Inspector, element: Element): ReadOf<MetricInput> | undefined {
  const fields = inspector.fields(element, METRIC_FIELDS)
  if (!fields) return undefined
  const event = (name: 'total' | 'bad') =>
    inspector.optional(fields[name], (each) => inspector.text(each, MAX_LENGTHS.event)) ?? undefined
  const name = inspector.required(element, 'name', fields.name, (each) =>
    inspector.text(each, MAX_LENGTHS.name)
  )
  const metric = {
    source:
      inspector.optional(fields.source, (each) => inspector.choice(each, METRIC_SOURCES)) ??
      undefined,
    total: event('total'),
    bad: event('bad'),
    measure:
      inspector.optional(fields.measure, (each) => inspector.choice(each, CRASH_MEASURES)) ??
      undefined,
  }
  return name === undefined ? undefined : { name, ...metric }
}

/**
 * Returns the place in the file for a pointer below an element, or its nearest existing ancestor.
 */
function below(element: Element, pointer: string): Element {
  let at = element
  for (const segment of pointer.split('/').slice(1)) {
    const { node, path } = at
    if (node.kind === 'list' && node.items[Number(segment)]) {
      const item = node.items[Number(segment)]
      at = { node: item, path: [...path, Number(segment)], place: item }
    } else if (node.kind === 'map') {
      const entry = node.entries.find(({ key }) => key === segment)
      if (!entry) return { ...at, path: [...path, segment] }
      at = { node: entry.value, path: [...path, segment], place: entry }
    }
  }
  return at
}
