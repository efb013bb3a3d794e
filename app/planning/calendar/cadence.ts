import type { Instant } from '#foundation/core/clock'
import { daysAfter, daysBetween, instantOf, type LocalDate } from './local_time.js'

/** A local time, some days after the day on which a train begins. */
export interface CadenceMoment {
  dayOffset: number
  /** `HH:mm` */
  time: string
}

/** Target dates of the trains of a cadence. */
export interface CadenceTargets {
  kickoff: CadenceMoment
  submit: CadenceMoment | null
  release: CadenceMoment | null
}

/** A decision about a train that is not drafted yet. */
export interface CadenceException {
  /** The day on which the train begins by the cadence. */
  date: LocalDate
  skipped: boolean
  /** The day on which it begins instead. */
  movedTo: LocalDate | null
  /** The pilot instead of the next one of the rotation. */
  pilotId: string | null
}

/** Days on which a pilot is away, both ends included. */
export interface PilotAbsence {
  userId: string
  from: LocalDate
  to: LocalDate
}

/** The frequency and times at which trains leave. */
export interface Cadence {
  enabled: boolean
  paused: boolean
  intervalWeeks: number
  /** The day that the first train begins. */
  startDate: LocalDate
  timezone: string
  targets: CadenceTargets
  skipFrozenDates: boolean
  /** Weeks before its kickoff that a release is drafted. */
  draftWeeksAhead: number
  exceptions: CadenceException[]
  absences: PilotAbsence[]
}

/** The target dates of a train. */
export interface TrainDates {
  kickoffAt: Instant
  submitAt: Instant | null
  releaseAt: Instant | null
}

const DAYS_OF_WEEK = 7

/** Returns the days from one train of a cadence to the next. */
export const period = ({ intervalWeeks }: Cadence) => intervalWeeks * DAYS_OF_WEEK

/** Returns the first day, from a given one on, on which a train begins by the cadence. */
export function firstSlot(cadence: Cadence, from: LocalDate): LocalDate {
  const days = daysBetween(cadence.startDate, from)
  const slots = Math.max(0, Math.ceil(days / period(cadence)))
  return daysAfter(cadence.startDate, slots * period(cadence))
}

/** Returns the day on which the next train begins by the cadence. */
export function slotAfter(cadence: Cadence, slot: LocalDate): LocalDate {
  return daysAfter(slot, period(cadence))
}

/** Returns whether a train begins on a day by the cadence. */
export function isSlot(cadence: Cadence, date: LocalDate): boolean {
  return firstSlot(cadence, date) === date
}

/** Exceptions by the days that their trains begin by the cadence. */
export type ExceptionsByDate = ReadonlyMap<LocalDate, CadenceException>

export const byDate = (exceptions: readonly CadenceException[]): Map<LocalDate, CadenceException> =>
  new Map(exceptions.map((each) => [each.date, each]))

/** Returns the day on which a train begins: its own, or the one it was moved to. */
export function beginsOn(exceptions: ExceptionsByDate, slot: LocalDate): LocalDate {
  return exceptions.get(slot)?.movedTo ?? slot
}

/** Returns the days of the trains before and after that of a day, by the cadence. */
export function slotsAround(cadence: Cadence, slot: LocalDate): [LocalDate, LocalDate] {
  return [daysAfter(slot, -period(cadence)), slotAfter(cadence, slot)]
}

/** Returns the local day on which a train that begins on a day is kicked off. */
export function kickoffDate({ targets: { kickoff } }: Cadence, date: LocalDate): LocalDate {
  return daysAfter(date, kickoff.dayOffset)
}

/**
 * Returns the target dates of a train that begins on a day. If a clock change would put a later
 * phase before an earlier one, both have the same date.
 */
export function datesOf({ timezone, targets }: Cadence, date: LocalDate): TrainDates {
  const instant = ({ dayOffset, time }: CadenceMoment) =>
    instantOf(timezone, daysAfter(date, dayOffset), time)
  const kickoffAt = instant(targets.kickoff)
  const submitAt = targets.submit && latest(instant(targets.submit), kickoffAt)
  const releaseAt = targets.release && latest(instant(targets.release), submitAt ?? kickoffAt)
  return { kickoffAt, submitAt, releaseAt }
}

const latest = (one: Instant, other: Instant) => (one > other ? one : other)
