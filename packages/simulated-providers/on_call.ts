import { WEEK } from './durations.js'
import { chance } from './chance.js'

/*
 * The people on call: they take turns week by week, from Monday on in UTC, or in the shifts that a
 * scenario gives. Instants are milliseconds since the epoch.
 */

interface Shift {
  scheduleId: string
  name: string
  email: string
  from: number
  until: number
}

export interface SimulatedOnCall {
  schedules: readonly { id: string; name: string }[]
  people: readonly { name: string; email: string }[]
  /** In place of taking turns; null if people do. */
  shifts: readonly Shift[] | null
}

export const USUAL_ON_CALL: SimulatedOnCall = {
  schedules: [{ id: 'releases', name: 'Release pilots' }],
  people: [
    { name: 'Ada', email: 'ada@example.com' },
    { name: 'Grace', email: 'grace@example.com' },
    { name: 'Linus', email: 'linus@example.com' },
  ],
  shifts: null,
}

/** A Monday. */
const FIRST = Date.parse('1970-01-05T00:00:00.000Z')

export function onCallAt(
  { people, shifts }: SimulatedOnCall,
  { seed, scheduleId, at }: { seed: string; scheduleId: string; at: number }
): Shift[] {
  if (shifts) {
    return shifts.filter(
      (each) => each.scheduleId === scheduleId && each.from <= at && at < each.until
    )
  }
  if (people.length === 0) return []
  const week = Math.floor((at - FIRST) / WEEK)
  const first = Math.floor(chance(seed, 'on call', scheduleId) * people.length)
  const person = people[(((first + week) % people.length) + people.length) % people.length]
  const from = FIRST + week * WEEK
  return [{ scheduleId, ...person, from, until: from + WEEK }]
}
