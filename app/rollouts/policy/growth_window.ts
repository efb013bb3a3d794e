import { later, type Instant } from '#foundation/core/clock'
import { thawedFrom, type Freeze } from '#planning/calendar/freezes'
import { dateIn, daysAfter, shownFrom, type LocalDate } from '#planning/calendar/local_time'
import { HOUR } from '#foundation/core/durations'
import type { RolloutPolicy } from './policy.js'

/** The part of a policy that says when a rollout may grow. */
export type Window = Pick<RolloutPolicy, 'timezone' | 'officeHours' | 'weekdays' | 'quietDays'>

/**
 * Returns the policy as it applies in a store. Office hours do not apply at Apple, which advances
 * its phased release by itself.
 */
export const windowIn = <Policy extends Window>(policy: Policy, isApple: boolean): Policy =>
  isApple ? { ...policy, officeHours: null } : policy

/** Maximum number of days to search; a rollout without an open day among them never grows. */
const MAX_DAYS = 400

/**
 * Returns the first instant at or after `at` at which a rollout may grow; null if there is none.
 */
export function nextOpening(
  window: Window,
  freezes: readonly Freeze[],
  at: Instant
): Instant | null {
  const today = dateIn(window.timezone, at)
  for (let days = 0; days < MAX_DAYS; days++) {
    const date = daysAfter(today, days)
    if (isQuiet(window, date)) continue
    const [from, to] = hoursOf(window, date)
    const first = thawedFrom(freezes, 'release', from > at ? from : at)
    if (first < to) return first
  }
  return null
}

/** Returns whether the policy forbids growth on a day. */
export function isQuiet({ weekdays, quietDays }: Window, date: LocalDate): boolean {
  return !weekdays.includes(weekdayOf(date)) || quietDays.includes(date)
}

/**
 * Returns the first instant at or after `at` that is neither on a quiet day nor in a freeze.
 */
export function nextOpenDay(
  window: Window,
  freezes: readonly Freeze[],
  at: Instant
): Instant | null {
  return nextOpening({ ...window, officeHours: null }, freezes, at)
}

/**
 * Returns the next instant at which a quiet day or a freeze begins; null if none is found.
 */
export function nextClosing(
  window: Window,
  freezes: readonly Freeze[],
  at: Instant
): Instant | null {
  const closings = freezes
    .filter(({ phases, startAt }) => phases.includes('release') && startAt > at)
    .map(({ startAt }) => startAt)
  const today = dateIn(window.timezone, at)
  for (let days = 1; days < MAX_DAYS; days++) {
    const date = daysAfter(today, days)
    if (!isQuiet(window, date)) continue
    closings.push(shownFrom(window.timezone, date, '00:00'))
    break
  }
  return closings.sort()[0] ?? null
}

/** Returns the weekday, 1 (Monday) to 7. */
const weekdayOf = (date: LocalDate) => new Date(`${date}T00:00:00.000Z`).getUTCDay() || 7

export function hoursOf({ timezone, officeHours }: Window, date: LocalDate): [Instant, Instant] {
  const { from, to } = officeHours ?? { from: '00:00', to: null }
  const end =
    to === null ? shownFrom(timezone, daysAfter(date, 1), '00:00') : shownFrom(timezone, date, to)
  return [shownFrom(timezone, date, from), end]
}

export const hoursAfter = (at: Instant, hours: number): Instant => later(at, hours * HOUR)
