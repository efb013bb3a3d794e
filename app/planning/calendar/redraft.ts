import type { Instant } from '#foundation/core/clock'
import { daysAfter, type LocalDate } from './local_time.js'
import { firstSlot, period, slotAfter, type Cadence } from './cadence.js'
import { slots, type ScheduleFacts, type Slot } from './schedule.js'

/** A cadence before a change, and the day from which its trains were undecided. */
export interface FormerCadence {
  cadence: Cadence
  undecidedFrom: LocalDate
}

/**
 * Returns the trains of a changed cadence that unedited drafts move to, in order: the lowest
 * version leaves first. Only trains before the first one that the former cadence had not decided
 * are assigned. A day is passed over if its former train was decided otherwise: the release was
 * edited or deleted, or the train was left out. Pure.
 * @param facts of the changed cadence, from its first train to come
 * @param untouched days of the unedited drafts, by the former cadence
 * @returns at most as many trains as drafts, and the day from which trains are undecided now
 */
export function redrafted(
  facts: ScheduleFacts,
  former: FormerCadence,
  untouched: ReadonlySet<LocalDate>,
  now: Instant
): { trains: Slot[]; undecidedFrom: LocalDate } {
  const end = firstSlot(former.cadence, former.undecidedFrom)
  const staying = facts.drafted.filter((date) => !untouched.has(date))
  const decided = {
    ...facts,
    drafted: [...staying, ...decidedOtherwise(facts, former, untouched)],
  }
  const trains: Slot[] = []
  for (const slot of slots(decided)) {
    const isTaken = slot.leftOut !== null || decided.drafted.includes(slot.date)
    const isFree = !isTaken && slot.dates.kickoffAt >= now
    if (slot.date >= end || (isFree && trains.length === untouched.size)) {
      return { trains, undecidedFrom: slot.date }
    }
    if (isFree) trains.push(slot)
  }
  throw new Error('The trains of a cadence have no end')
}

/** Returns the days that the former cadence had decided and that have no unedited draft. */
function decidedOtherwise(
  facts: ScheduleFacts,
  { cadence, undecidedFrom }: FormerCadence,
  untouched: ReadonlySet<LocalDate>
): LocalDate[] {
  const days: LocalDate[] = []
  let day = firstSlot(cadence, daysAfter(facts.undecidedFrom, -period(cadence)))
  for (; day < undecidedFrom; day = slotAfter(cadence, day)) {
    if (!untouched.has(day)) days.push(day)
  }
  return days
}
