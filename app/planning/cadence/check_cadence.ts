import type { InputErrors } from '#foundation/core/problems/input_errors'
import {
  beginsOn,
  byDate,
  isSlot,
  slotsAround,
  type Cadence,
  type CadenceException,
  type CadenceMoment,
  type ExceptionsByDate,
} from '../calendar/cadence.js'
import { PHASES } from '../calendar/freezes.js'
import { isLocalDate, isZone } from '../calendar/local_time.js'

/** The default cadence. */
export const DEFAULT_CADENCE = {
  enabled: true,
  paused: false,
  intervalWeeks: 1,
  timezone: 'UTC',
  skipFrozenDates: false,
  draftWeeksAhead: 4,
  exceptions: [],
  absences: [],
} satisfies Partial<Cadence>

/**
 * Collects the errors of a cadence, as it will be once the input is applied.
 * @param pointer to the cadence in the request
 * @returns the cadence; undefined if it cannot be determined completely
 */
export function checkCadence(
  before: Cadence | null,
  input: Partial<Cadence>,
  errors: InputErrors,
  pointer = ''
): Cadence | undefined {
  const add = (name: string, code: string, message: string) =>
    errors.add({ pointer: `${pointer}/${name}`, code, message })
  const present = Object.fromEntries(
    Object.entries(input).filter(([, value]) => value !== undefined && value !== null)
  )
  const { startDate, targets, ...others } = { ...DEFAULT_CADENCE, ...before, ...present } as Cadence
  if (input.startDate !== undefined && !isStart(input.startDate)) {
    add('startDate', 'date', `startDate must be a day from ${EARLIEST} to ${LATEST}.`)
  }
  if (input.timezone !== undefined && !isZone(input.timezone)) {
    add('timezone', 'timezone', 'timezone must be a zone of the IANA database, like Europe/Berlin.')
  }
  const missing = { startDate, targets }
  for (const name of ['startDate', 'targets'] as const) {
    if (missing[name] !== undefined || !errors.isWellFormed(`${pointer}/${name}`)) continue
    add(name, 'required', `A first cadence needs ${name}.`)
  }
  if (input.targets) checkOrder(input.targets, add)
  if (!startDate || !isStart(startDate) || !targets) return undefined
  const cadence: Cadence = { ...others, startDate, targets }
  // Without a valid interval, the trains are unknown.
  const areChecked =
    input.exceptions !== undefined && errors.isWellFormed(`${pointer}/intervalWeeks`)
  checkExceptions(cadence, areChecked, add)
  checkAbsences(input.absences ?? [], add)
  const { enabled, paused, intervalWeeks, timezone, skipFrozenDates, draftWeeksAhead } = cadence
  return {
    enabled,
    paused,
    intervalWeeks,
    startDate,
    timezone,
    targets,
    skipFrozenDates,
    draftWeeksAhead,
    exceptions: stillFitting(cadence),
    absences: cadence.absences,
  }
}

/** Start dates in this range give trains whose dates instants can represent. */
const EARLIEST = '2000-01-01'
const LATEST = '2199-12-31'

const isStart = (date: string) => isLocalDate(date) && EARLIEST <= date && date <= LATEST

type Add = (name: string, code: string, message: string) => void

function checkOrder(targets: Partial<Cadence['targets']>, add: Add): void {
  let last: { phase: string; moment: CadenceMoment } | null = null
  for (const phase of PHASES) {
    const moment = targets[phase]
    if (!moment) continue
    if (last && isBefore(moment, last.moment)) {
      const message = `The ${phase} must not come before the ${last.phase}.`
      add(`targets/0/${phase}`, 'target_order', message)
    }
    last = { phase, moment }
  }
}

const isBefore = (one: CadenceMoment, other: CadenceMoment) =>
  one.dayOffset < other.dayOffset || (one.dayOffset === other.dayOffset && one.time < other.time)

/**
 * Returns the days of the neighbouring trains if a train was moved to one of them or beyond; else
 * null.
 */
function neighboursPassed(
  cadence: Cadence,
  exceptions: ExceptionsByDate,
  { date, movedTo }: Pick<CadenceException, 'date' | 'movedTo'>
): [from: string, to: string] | null {
  if (movedTo === null) return null
  const [before, after] = slotsAround(cadence, date)
  const [from, to] = [beginsOn(exceptions, before), beginsOn(exceptions, after)]
  return movedTo <= from || movedTo >= to ? [from, to] : null
}

/**
 * Returns the exceptions that still fit a changed cadence: their day exists and has a train, and a
 * moved train begins between its neighbours.
 */
function stillFitting(cadence: Cadence): CadenceException[] {
  const isTrain = ({ date }: CadenceException) => isLocalDate(date) && isSlot(cadence, date)
  const fitting = byDate(cadence.exceptions.filter(isTrain))
  let unchecked = new Set(fitting.values())
  while (unchecked.size > 0) {
    const unfit = [...unchecked].filter((each) => neighboursPassed(cadence, fitting, each))
    for (const { date } of unfit) fitting.delete(date)
    // A train that returns to its own day may collide with a neighbour that was moved.
    const beside = unfit.flatMap(({ date }) => slotsAround(cadence, date))
    unchecked = new Set(beside.flatMap((slot) => fitting.get(slot) ?? []))
  }
  return cadence.exceptions.filter(({ date }) => fitting.has(date))
}

/**
 * Checks that exceptions are of existing trains, and that moved trains begin between their
 * neighbours.
 */
function checkExceptions(cadence: Cadence, areGiven: boolean, add: Add): void {
  if (!areGiven) return
  const exceptions = byDate(cadence.exceptions)
  const seen = new Set<string>()
  for (const [index, { date, skipped, movedTo }] of cadence.exceptions.entries()) {
    const at = `exceptions/${index}`
    if (!isLocalDate(date)) {
      add(`${at}/date`, 'date', 'date must be a day that exists, such as 2026-11-30.')
      continue
    }
    if (!isSlot(cadence, date)) add(`${at}/date`, 'no_train', `No train begins on ${date}.`)
    if (seen.has(date)) add(`${at}/date`, 'duplicate', `There is already an exception for ${date}.`)
    seen.add(date)
    if (movedTo === null) continue
    if (skipped) add(`${at}/movedTo`, 'skipped', 'A train that is skipped cannot be moved.')
    if (!isLocalDate(movedTo)) {
      add(`${at}/movedTo`, 'date', 'movedTo must be a day that exists, such as 2026-11-30.')
      continue
    }
    const passed = neighboursPassed(cadence, exceptions, { date, movedTo })
    if (!passed) continue
    const message = `movedTo must lie between the trains before and after: ${passed.join(' and ')}.`
    add(`${at}/movedTo`, 'beyond_neighbours', message)
  }
}

function checkAbsences(absences: Cadence['absences'], add: Add): void {
  for (const [index, { from, to }] of absences.entries()) {
    const broken = (['from', 'to'] as const).filter((name) => !isLocalDate({ from, to }[name]))
    for (const name of broken) {
      add(`absences/${index}/${name}`, 'date', `${name} must be a day that exists.`)
    }
    if (broken.length === 0 && to < from) {
      add(`absences/${index}/to`, 'period', 'to must not be before from.')
    }
  }
}
