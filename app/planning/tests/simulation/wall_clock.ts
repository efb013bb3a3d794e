import { DAY, HOUR, iso, TICK } from './world_of_model.js'

/*
 * Local times by looking at what clocks on the wall show, quarter by quarter of an hour.
 */

const formats = new Map<string, Intl.DateTimeFormat>()

/** Returns the time on wall clocks, `YYYY-MM-DDTHH:mm`. */
export function wallAt(zone: string, time: number): string {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('sv-SE', {
      timeZone: zone,
      dateStyle: 'short',
      timeStyle: 'short',
    })
    formats.set(zone, format)
  }
  return format.format(time).replace(' ', 'T')
}

const known = new Map<string, number>()

/**
 * Returns when clocks first show a local time; if they never do, later by as much as they jumped.
 * @param date `YYYY-MM-DD`
 * @param time `HH:mm`
 */
export function timeOf(zone: string, date: string, time: string): number {
  const wanted = `${date}T${time}`
  const key = `${zone} ${wanted}`
  const found = known.get(key)
  if (found !== undefined) return found
  const near = Date.parse(`${wanted}:00Z`)
  let last = near - 15 * HOUR
  for (let at = last; at <= near + 15 * HOUR; at += TICK) {
    const shown = wallAt(zone, at)
    if (shown >= wanted) {
      const missing = shown === wanted ? at - last : near - Date.parse(`${wallAt(zone, last)}:00Z`)
      known.set(key, last + missing)
      return last + missing
    }
    last = at
  }
  throw new Error(`The clocks of ${zone} never show ${wanted}`)
}

/** Returns the day some days after another. */
export const dayAfter = (date: string, days: number) =>
  iso(Date.parse(date) + days * DAY).slice(0, 10)
