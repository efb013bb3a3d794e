import type { Instant } from '#foundation/core/clock'
import { daysAfter, type LocalDate } from './local_time.js'
import { firstSlot, period, slotAfter, type Cadence } from './cadence.js'
import { slots, type ScheduleFacts, type Slot } from './schedule.js'

/** A cadence as it was, and the day from which its trains were not decided yet. */
export interface FormerCadence {
  cadence: Cadence
  undecidedFrom: LocalDate
}

/**
 * The trains of a changed cadence that its untouched drafts follow, in order: the lowest version
 * leaves first. They lie before the first train that the former cadence had not decided. A day is
 * left out where its former train was decided otherwise: kept by hand, deleted or left out. Pure.
 * @param facts of the changed cadence, from its first train to come
 * @param untouched days of the drafts that follow, by the former cadence
 * @returns at most as many trains as drafts, and the day from which trains are not decided now
 */
export function redrafted(
  facts: ScheduleFacts,
  former: FormerCadence,
  untouched: ReadonlySet<LocalDate>,
  now: Instant
): { trains: Slot[]; undecidedFrom: LocalDate } {
  const end = firstSlot(former.cadence, former.undecidedFrom)
  const following = facts.drafted.filter((date) => !untouched.has(date))
  const decided = {
    ...facts,
    drafted: [...following, ...decidedOtherwise(facts, former, untouched)],
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

/** Days of the former cadence that were decided and have no draft that follows. */
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
