import type { PilotAbsence } from './cadence.js'
import type { LocalDate } from './local_time.js'

/** Pilots in turn, and whose turn was last; null before the first. */
export interface Rotation {
  members: readonly string[]
  last: string | null
}

/**
 * Whose turn it is on a day: the next who is not away, or the next of all where everybody is;
 * null where there is nobody. Whoever was away is not made up for.
 */
export function nextInRotation(
  { members, last }: Rotation,
  date: LocalDate,
  absences: readonly PilotAbsence[]
): string | null {
  if (members.length === 0) return null
  const start = last === null ? 0 : members.indexOf(last) + 1
  const turns = members.map((_, step) => members[(start + step) % members.length])
  const isAway = (member: string) =>
    absences.some(({ userId, from, to }) => userId === member && from <= date && date <= to)
  return turns.find((member) => !isAway(member)) ?? turns[0]
}

/** The rotation after a pilot had a train; one from outside of it takes nobody's turn. */
export function afterTurn(rotation: Rotation, pilot: string | null): Rotation {
  const { members } = rotation
  return pilot !== null && members.includes(pilot) ? { members, last: pilot } : rotation
}
