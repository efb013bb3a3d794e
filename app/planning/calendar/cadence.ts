import type { Instant } from '#foundation/core/clock'
import { daysAfter, daysBetween, instantOf, type LocalDate } from './local_time.js'

/** A local time on a day relative to the start of a train. */
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
  /** The regular start of the train. */
  date: LocalDate
  skipped: boolean
  /** The day on which the train starts instead; null if it was not moved. */
  movedTo: LocalDate | null
  /** The pilot who replaces the next one of the rotation; null for nobody. */
  pilotId: string | null
}

/** Days on which a pilot is away, first and last inclusive. */
export interface PilotAbsence {
  userId: string
  from: LocalDate
  to: LocalDate
}

/** The frequency and the target dates of release trains. */
export interface Cadence {
  enabled: boolean
  paused: boolean
  intervalWeeks: number
  /** The day on which the first train starts. */
  startDate: LocalDate
  timezone: string
  targets: CadenceTargets
  skipFrozenDates: boolean
  /** Weeks before its kickoff at which a release is drafted. */
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

/** Returns the number of days between two trains. */
export const period = ({ intervalWeeks }: Cadence) => intervalWeeks * DAYS_OF_WEEK

/** Returns the regular start of the first train on or after a day. */
export function firstSlot(cadence: Cadence, from: LocalDate): LocalDate {
  const days = daysBetween(cadence.startDate, from)
  const slots = Math.max(0, Math.ceil(days / period(cadence)))
  return daysAfter(cadence.startDate, slots * period(cadence))
}

/** Returns the regular start of the next train. */
export function slotAfter(cadence: Cadence, slot: LocalDate): LocalDate {
  return daysAfter(slot, period(cadence))
}

/** Returns whether a day is the regular start of a train. */
export function isSlot(cadence: Cadence, date: LocalDate): boolean {
  return firstSlot(cadence, date) === date
}

/** Exceptions by the regular starts of their trains. */
export type ExceptionsByDate = ReadonlyMap<LocalDate, CadenceException>

export const byDate = (exceptions: readonly CadenceException[]): Map<LocalDate, CadenceException> =>
  new Map(exceptions.map((each) => [each.date, each]))

/** Returns the actual start of a train: the day it was moved to, or else its regular start. */
export function beginsOn(exceptions: ExceptionsByDate, slot: LocalDate): LocalDate {
  return exceptions.get(slot)?.movedTo ?? slot
}

/** Returns the regular starts of the previous and the next train. */
export function slotsAround(cadence: Cadence, slot: LocalDate): [LocalDate, LocalDate] {
  return [daysAfter(slot, -period(cadence)), slotAfter(cadence, slot)]
}

/** Returns the day of the kickoff of a train that starts on a day. */
export function kickoffDate({ targets: { kickoff } }: Cadence, date: LocalDate): LocalDate {
  return daysAfter(date, kickoff.dayOffset)
}

/**
 * Returns the target dates of a train that starts on a day. If a clock change would put a later
 * phase before an earlier one, both get the same time.
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
