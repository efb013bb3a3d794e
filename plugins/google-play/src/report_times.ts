/*
 * Times in reports: dates in Pacific time, and hours in UTC.
 */

export const PACIFIC = 'America/Los_Angeles'

/** A time in Google's reports (`google.type.DateTime`). */
export interface ReportTime {
  year?: number
  month?: number
  day?: number
  hours?: number
  timeZone?: { id?: string }
}

const HOUR_MS = 3_600_000

const DATES = new Intl.DateTimeFormat('en-CA', { timeZone: PACIFIC })
const HOURS = new Intl.DateTimeFormat('en-GB', { timeZone: PACIFIC, hour: '2-digit' })

/** Returns the Pacific date of an instant. */
export function dayOf(at: string | number): ReportTime {
  const [year, month, day] = DATES.format(new Date(at)).split('-').map(Number)
  return { year, month, day, timeZone: { id: PACIFIC } }
}

/** Returns the next date. */
export function dayAfter({ year, month, day }: ReportTime): ReportTime {
  const next = new Date(Date.UTC(year!, month! - 1, day! + 1))
  return {
    year: next.getUTCFullYear(),
    month: next.getUTCMonth() + 1,
    day: next.getUTCDate(),
    timeZone: { id: PACIFIC },
  }
}

/** Returns the beginning of a Pacific date, in milliseconds since the epoch. */
export function instantOf({ year, month, day }: ReportTime): number {
  const midnight = Date.UTC(year!, month! - 1, day)
  // Pacific time is seven or eight hours behind UTC, depending on daylight saving.
  const summer = midnight + 7 * HOUR_MS
  return Number(HOURS.format(new Date(summer))) === 0 ? summer : summer + HOUR_MS
}

/** Returns query parameters for an instant, rounded down or up to an hour in UTC. */
export function hourOf(name: string, at: string, which: 'begin' | 'end' = 'begin') {
  const round = which === 'end' ? Math.ceil : Math.floor
  const hour = new Date(round(Date.parse(at) / HOUR_MS) * HOUR_MS)
  return {
    [`${name}.year`]: hour.getUTCFullYear(),
    [`${name}.month`]: hour.getUTCMonth() + 1,
    [`${name}.day`]: hour.getUTCDate(),
    [`${name}.hours`]: hour.getUTCHours(),
    [`${name}.timeZone.id`]: 'UTC',
  }
}
