import { nextTurn, type PilotRotation } from '#releases/rotation/pilot_rotation'
import type { PilotAbsence } from './cadence.js'
import type { LocalDate } from './local_time.js'

/** Returns who is away on a day. */
export function awayOn(absences: readonly PilotAbsence[], date: LocalDate): Set<string> {
  const those = absences.filter(({ from, to }) => from <= date && date <= to)
  return new Set(those.map(({ userId }) => userId))
}

/** Returns the next pilot on a day; null without pilots. */
export function nextInRotation(
  rotation: PilotRotation,
  date: LocalDate,
  absences: readonly PilotAbsence[]
): string | null {
  const away = awayOn(absences, date)
  return nextTurn(rotation, (member) => away.has(member))
}

/** Returns the rotation after a pilot had a train; a pilot who is not in it takes nobody's turn. */
export function afterTurn(rotation: PilotRotation, pilot: string | null): PilotRotation {
  const { members } = rotation
  return pilot !== null && members.includes(pilot) ? { members, last: pilot } : rotation
}
