import { dayAfter, timeOf } from './wall_clock.js'
import { DAY, HOUR, TICK, type Chance, type Outage, type SimulatedApp } from './world_of_model.js'

/** Hours that the service is down; more than a day is too late for an automation. */
const LENGTHS = [2, 9, 23, 30, 70]
/** An outage that is longer than trains are drafted ahead. */
const LONG = 9 * DAY

/** Returns outages every month or two, just when an app is due to kick off. */
export function someOutages(
  apps: readonly SimulatedApp[],
  start: number,
  end: number,
  chance: Chance
): Outage[] {
  const outages: Outage[] = []
  for (let at = start + 30 * DAY; at < end;) {
    const isLong = outages.length % 4 === 1
    const kickoff = kickoffFrom(isLong ? apps[0] : chance.pick(apps), at)
    const from = isLong ? kickoff - 8 * DAY : kickoff - chance.whole(0, 6) * TICK
    const to = isLong ? from + LONG : from + chance.pick(LENGTHS) * HOUR
    outages.push({ from, to })
    at = to + chance.whole(10, 50) * DAY
  }
  return outages
}

/** Returns the first kickoff of the cadence some days after a time. */
function kickoffFrom({ startDate, intervalWeeks, targets, timezone }: SimulatedApp, at: number) {
  for (let train = 0; ; train += 1) {
    const date = dayAfter(startDate, train * intervalWeeks * 7 + targets.kickoff.dayOffset)
    const kickoff = timeOf(timezone, date, targets.kickoff.time)
    if (kickoff > at + 9 * DAY) return kickoff
  }
}
