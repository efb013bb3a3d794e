import { DateTime, IANAZone } from 'luxon'
import type { Instant } from '#foundation/core/clock'
import { DAY, MINUTE } from '#foundation/core/durations'

/** A day of a calendar, `YYYY-MM-DD`; text order is time order. */
export type LocalDate = string

const DATE = /^(?!0000)\d{4}-\d{2}-\d{2}$/

/** Returns whether a text is an existing day from the year 1 on. */
export function isLocalDate(text: string): boolean {
  return DATE.test(text) && at(text).isValid
}

/** Returns whether a name is a zone of the IANA database; a bare offset such as `+02:00` is not. */
export function isZone(name: string): boolean {
  return /^[A-Za-z]/.test(name) && IANAZone.isValidZone(name)
}

/** Returns the day that lies a number of days after another; before it if negative. */
export function daysAfter(date: LocalDate, days: number): LocalDate {
  return at(date).plus({ days }).toISODate()!
}

/** Returns the days from one date to another; negative if the other comes before. */
export function daysBetween(from: LocalDate, to: LocalDate): number {
  return Math.round(at(to).diff(at(from), 'days').days)
}

/** Returns the date in a zone at an instant. */
export function dateIn(zone: string, instant: Instant): LocalDate {
  return DateTime.fromISO(instant, { zone }).toISODate()!
}

/**
 * Returns the instant of a local time. A time that comes twice, as clocks go back, is the first of
 * the two; a time that clocks skip is later by as much as they move: 02:30 becomes 03:30. In both
 * cases the offset from before the change holds (RFC 5545, 3.3.5).
 * @param time `HH:mm`
 */
export function instantOf(zone: string, date: LocalDate, time: string): Instant {
  const wall = DateTime.fromISO(`${date}T${time}`, { zone: 'utc' }).toMillis()
  const offsets = IANAZone.create(zone)
  // No zone changes twice within two days.
  const [before, after] = [wall - DAY, wall + DAY].map((near) => offsets.offset(near) * MINUTE)
  const first = wall - before
  const second = wall - after
  const isSecond =
    before !== after &&
    offsets.offset(first) * MINUTE !== before &&
    offsets.offset(second) * MINUTE === after
  return new Date(isSecond ? second : first).toISOString()
}

/**
 * Returns the instant from which a clock shows a time of a day or a later one. For a time that
 * clocks skip, it is the instant of their change.
 */
export function shownFrom(zone: string, date: LocalDate, time: string): Instant {
  const instant = instantOf(zone, date, time)
  const offsets = IANAZone.create(zone)
  let shown = Date.parse(instant)
  const offset = offsets.offset(shown)
  const wall = DateTime.fromISO(`${date}T${time}`, { zone: 'utc' }).toMillis()
  if (shown + offset * MINUTE === wall) return instant
  let before = shown - DAY
  while (shown - before > MINUTE) {
    const between = before + Math.floor((shown - before) / 2 / MINUTE) * MINUTE
    if (offsets.offset(between) === offset) shown = between
    else before = between
  }
  return new Date(shown).toISOString()
}

const at = (date: LocalDate) => DateTime.fromISO(date, { zone: 'utc' })
