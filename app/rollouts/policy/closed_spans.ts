import { compareTexts } from '../../foundation/core/compare_texts.js'
import type { Instant } from '#foundation/core/clock'
import type { Freeze } from '#planning/calendar/freezes'
import { dateIn, daysAfter, shownFrom } from '#planning/calendar/local_time'
import { hoursOf, isQuiet, type Window } from './growth_window.js'

/** The reasons why a rollout does not grow for a while. */
export const CLOSED_BY = ['quietDay', 'freeze', 'officeHours'] as const

/** A span in which a rollout does not grow; its end is exclusive. */
export interface ClosedSpan {
  from: Instant
  to: Instant
  why: (typeof CLOSED_BY)[number]
  /** Name of the freeze; null for rules of the policy. */
  name: string | null
}

/** The most spans in a list. */
export const MAX_CLOSED = 1000

/** The most days that are examined. */
const MAX_DAYS = 450

/**
 * Returns the spans between two instants in which a rollout does not grow: consecutive quiet days
 * as one span, times outside of office hours, and freezes. Pure.
 */
export function closedSpans(
  window: Window,
  freezes: readonly (Freeze & { name: string })[],
  from: Instant,
  to: Instant
): ClosedSpan[] {
  const spans: ClosedSpan[] = freezes
    .filter(({ phases }) => phases.includes('release'))
    .map(({ startAt, endAt, name }) => ({ from: startAt, to: endAt, why: 'freeze', name }))
  const { timezone } = window
  let date = dateIn(timezone, from)
  for (let days = 0; days < MAX_DAYS; days++, date = daysAfter(date, 1)) {
    const [begins, ends] = [date, daysAfter(date, 1)].map((day) =>
      shownFrom(timezone, day, '00:00')
    )
    if (begins >= to) break
    if (isQuiet(window, date)) add(spans, { from: begins, to: ends, why: 'quietDay', name: null })
    else if (window.officeHours) {
      const [opens, closes] = hoursOf(window, date)
      add(spans, { from: begins, to: opens, why: 'officeHours', name: null })
      add(spans, { from: closes, to: ends, why: 'officeHours', name: null })
    }
  }
  return spans
    .map((span) => ({
      ...span,
      from: span.from > from ? span.from : from,
      to: span.to < to ? span.to : to,
    }))
    .filter((span) => span.from < span.to)
    .sort((one, other) => compareTexts(one.from, other.from))
    .slice(0, MAX_CLOSED)
}

/** Adds a span, or extends the last one if it continues it. */
function add(spans: ClosedSpan[], span: ClosedSpan): void {
  const last = spans.at(-1)
  if (last && last.why === span.why && last.to === span.from) last.to = span.to
  else spans.push(span)
}
