import { parseDocument } from 'yaml'
import type { Instant } from '#foundation/core/clock'
import { later } from '#foundation/core/clock'
import { DAY } from '#foundation/core/durations'
import { isLocalDate } from '#planning/calendar/local_time'
import { USUAL_BEGIN } from './plan.js'

/** The default time of day at which a rehearsal begins. */
const MORNING = USUAL_BEGIN.slice('2026-01-05'.length)

/** Converts a date to the instant at which a rehearsal begins on it; other texts stay unchanged. */
export const morningOf = (text: string): string => (isLocalDate(text) ? `${text}${MORNING}` : text)

/**
 * Returns the default start of a rehearsal: the day before the first train of the configured
 * cadence, if that is later than usual.
 */
export function beginOf(configuration: string): Instant {
  const document = parseDocument(configuration, { version: '1.2', schema: 'core' })
  const start: unknown = document.getIn(['x-scheduleCadence', 'startDate'])
  if (typeof start !== 'string' || !isLocalDate(start)) return USUAL_BEGIN
  const before = later(morningOf(start), -DAY)
  return before > USUAL_BEGIN ? before : USUAL_BEGIN
}
