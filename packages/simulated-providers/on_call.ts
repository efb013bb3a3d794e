import { WEEK } from './durations.js'
import { chance } from './chance.js'

/*
 * Simulates who is on call: a weekly rotation that changes on Mondays in UTC, or the shifts of a
 * scenario. Instants are milliseconds since the epoch.
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
  /** Shifts that replace the rotation; null for the rotation. */
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

/** The start of the first rotation: a Monday. */
const EPOCH = Date.parse('1970-01-05T00:00:00.000Z')

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
  const week = Math.floor((at - EPOCH) / WEEK)
  const first = Math.floor(chance(seed, 'on call', scheduleId) * people.length)
  const person = people[(((first + week) % people.length) + people.length) % people.length]
  const from = EPOCH + week * WEEK
  return [{ scheduleId, ...person, from, until: from + WEEK }]
}
