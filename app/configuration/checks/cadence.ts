import { InputErrors } from '#foundation/core/problems/input_errors'
import type { CadenceMoment, CadenceTargets } from '#planning/calendar/cadence'
import { checkCadence, DEFAULT_CADENCE } from '#planning/cadence/check_cadence'
import {
  configurationOf,
  type CadenceConfiguration,
  type FollowedCadenceConfiguration,
} from '#planning/cadence/configured_cadence'
import { MAX_DAY_OFFSET, MAX_DRAFT_WEEKS, MAX_INTERVAL_WEEKS } from '#planning/vocabulary'
import type { Fields, Inspector, Element } from './inspector.js'
import type { ConfigurationProblemCode } from './problems.js'
import { ExceptionsAndAbsences } from './exceptions_and_absences.js'

const FIELDS = [
  'followsAppId',
  'enabled',
  'paused',
  'intervalWeeks',
  'startDate',
  'timezone',
  'targets',
  'skipFrozenDates',
  'draftWeeksAhead',
  'exceptions',
  'absences',
] as const

/** The file's problem codes for error codes that requests share. */
const CODES: Record<string, ConfigurationProblemCode> = {
  date: 'invalid_date',
  timezone: 'invalid_timezone',
  target_order: 'wrong_order',
  period: 'wrong_order',
  duplicate: 'duplicate',
}
const PHASES = ['kickoff', 'submit', 'release'] as const

/**
 * Checks `x-scheduleCadence`. It has the format of the request, but names people by e-mail address.
 * @param followable ids of the apps whose cadence can be followed
 * @param emails of the users who can be named
 */
export function checkScheduleCadence(
  inspector: Inspector,
  element: Element,
  { followable, emails }: { followable: readonly string[]; emails: ReadonlySet<string> }
): CadenceConfiguration | undefined {
  const fields = inspector.fields(element, FIELDS)
  if (!fields) return undefined
  const leaderId = inspector.optional(fields.followsAppId, (each) => inspector.text(each, 100))
  if (leaderId) return checkFollowed(inspector, leaderId, fields, followable)
  const flag = (each: Element) => inspector.flag(each)
  const integer = (max: number) => (each: Element) => readInteger(inspector, each, 1, max)
  const dated = new ExceptionsAndAbsences(inspector, emails)
  const input = {
    exceptions: inspector.optional(fields.exceptions, (each) => dated.readExceptions(each)) ?? [],
    absences: inspector.optional(fields.absences, (each) => dated.readAbsences(each)) ?? [],
    enabled: inspector.optional(fields.enabled, flag) ?? undefined,
    paused: inspector.optional(fields.paused, flag) ?? undefined,
    skipFrozenDates: inspector.optional(fields.skipFrozenDates, flag) ?? undefined,
    intervalWeeks:
      inspector.optional(fields.intervalWeeks, integer(MAX_INTERVAL_WEEKS)) ?? undefined,
    draftWeeksAhead:
      inspector.optional(fields.draftWeeksAhead, integer(MAX_DRAFT_WEEKS)) ?? undefined,
    timezone: inspector.optional(fields.timezone, (each) => inspector.text(each, 64)) ?? undefined,
    startDate: inspector.required(element, 'startDate', fields.startDate, (each) =>
      inspector.text(each, 10)
    ),
    targets: inspector.required(element, 'targets', fields.targets, (each) =>
      readTargets(inspector, each)
    ),
  }
  // Missing and malformed values have already been reported where they occur.
  const errors = new InputErrors(['/startDate', '/targets'])
  const cadence = checkCadence(null, input, errors)
  for (const { pointer, code, message } of errors.places) {
    const [, name] = pointer!.split('/')
    const at = dated.elements.get(pointer!) ?? fields[name as (typeof FIELDS)[number]] ?? element
    inspector.problems.add(at, CODES[code] ?? 'conflict', message)
  }
  return cadence && configurationOf(cadence, (email) => email)
}

/** Checks a cadence that follows another app's and may set only `enabled` and `paused`. */
function checkFollowed(
  inspector: Inspector,
  leaderId: string,
  { followsAppId, enabled, paused, ...others }: Fields<(typeof FIELDS)[number]>,
  followable: readonly string[]
): FollowedCadenceConfiguration | undefined {
  for (const each of Object.values(others)) {
    if (!each) continue
    inspector.problems.add(
      each,
      'conflict',
      'Is set by the app whose cadence this one follows; remove it here'
    )
  }
  const flag = (each: Element) => inspector.flag(each)
  const own = {
    enabled: inspector.optional(enabled, flag) ?? DEFAULT_CADENCE.enabled,
    paused: inspector.optional(paused, flag) ?? DEFAULT_CADENCE.paused,
  }
  if (followable.includes(leaderId)) return { followsAppId: leaderId, ...own }
  const message =
    'Has to be the id of another app with its own cadence. An app that others follow cannot follow one'
  inspector.problems.addUnknown(followsAppId!, 'unknown_value', message, leaderId, followable)
  return undefined
}

function readTargets(inspector: Inspector, element: Element): CadenceTargets | undefined {
  const fields = inspector.fields(element, PHASES)
  if (!fields) return undefined
  const moment = (each: Element) => readMoment(inspector, each)
  const kickoff = inspector.required(element, 'kickoff', fields.kickoff, moment)
  const submit = inspector.optional(fields.submit, moment) ?? null
  const release = inspector.optional(fields.release, moment) ?? null
  return kickoff && { kickoff, submit, release }
}

function readMoment(inspector: Inspector, element: Element): CadenceMoment | undefined {
  const fields = inspector.fields(element, ['dayOffset', 'time'])
  if (!fields) return undefined
  const dayOffset = inspector.required(element, 'dayOffset', fields.dayOffset, (each) =>
    readInteger(inspector, each, 0, MAX_DAY_OFFSET)
  )
  const time = inspector.required(element, 'time', fields.time, (each) => inspector.localTime(each))
  return dayOffset === undefined || time === undefined ? undefined : { dayOffset, time }
}

function readInteger(inspector: Inspector, element: Element, min: number, max: number) {
  const { node } = element
  const value = node.kind === 'scalar' ? node.value : null
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) {
    return value
  }
  inspector.problems.add(element, 'wrong_type', `Has to be a whole number from ${min} to ${max}`)
  return undefined
}
