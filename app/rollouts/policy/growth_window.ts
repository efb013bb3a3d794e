import { later, type Instant } from '#foundation/core/clock'
import { thawedFrom, type Freeze } from '#planning/calendar/freezes'
import { dateIn, daysAfter, shownFrom, type LocalDate } from '#planning/calendar/local_time'
import { HOUR } from '#foundation/core/durations'
import type { RolloutPolicy } from './policy.js'

/** The part of a policy that says when a rollout may grow. */
export type Window = Pick<RolloutPolicy, 'timezone' | 'officeHours' | 'weekdays' | 'quietDays'>

/**
 * Returns the policy as it applies in a store: at Apple, days change by themselves, whatever the
 * office hours.
 */
export const windowIn = <Policy extends Window>(policy: Policy, isApple: boolean): Policy =>
  isApple ? { ...policy, officeHours: null } : policy

/** The most days to look ahead; a policy without an open day until then never grows. */
const AHEAD = 400

/**
 * Returns the first instant, from a given one on, at which a rollout may grow; null if there is
 * none.
 */
export function openFrom(window: Window, freezes: readonly Freeze[], at: Instant): Instant | null {
  const today = dateIn(window.timezone, at)
  for (let days = 0; days < AHEAD; days++) {
    const date = daysAfter(today, days)
    if (isQuiet(window, date)) continue
    const [from, to] = hoursOf(window, date)
    const first = thawedFrom(freezes, 'release', from > at ? from : at)
    if (first < to) return first
  }
  return null
}

/** Returns whether a rollout does not grow on a day. */
export function isQuiet({ weekdays, quietDays }: Window, date: LocalDate): boolean {
  return !weekdays.includes(weekdayOf(date)) || quietDays.includes(date)
}

/**
 * Returns the first instant, from a given one on, that is neither on a quiet day nor in a freeze.
 */
export function awakeFrom(window: Window, freezes: readonly Freeze[], at: Instant): Instant | null {
  return openFrom({ ...window, officeHours: null }, freezes, at)
}

/**
 * Returns the next instant at which a quiet day or a freeze begins; null if there is none in the
 * examined days.
 */
export function closesFrom(
  window: Window,
  freezes: readonly Freeze[],
  at: Instant
): Instant | null {
  const begins = freezes
    .filter(({ phases, startAt }) => phases.includes('release') && startAt > at)
    .map(({ startAt }) => startAt)
  const today = dateIn(window.timezone, at)
  for (let days = 1; days < AHEAD; days++) {
    const date = daysAfter(today, days)
    if (!isQuiet(window, date)) continue
    begins.push(shownFrom(window.timezone, date, '00:00'))
    break
  }
  return begins.sort()[0] ?? null
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
