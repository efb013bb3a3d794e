import { dayAfter, timeOf } from './wall_clock.js'
import type { Moment, Phase, SimulatedApp } from './world_of_model.js'

/** Returns the train that is decided next. */
export function nextTrain({ app, train }: { app: SimulatedApp; train: number }) {
  const date = dayAfter(app.startDate, train * app.intervalWeeks * 7)
  const exception = app.exceptions.find((each) => each.date === date)
  return { date, exception, targets: targetsOf(app, exception?.movedTo ?? date) }
}

function targetsOf({ targets, timezone }: SimulatedApp, begins: string): Record<Phase, number> {
  const at = ({ dayOffset, time }: Moment) => timeOf(timezone, dayAfter(begins, dayOffset), time)
  return { kickoff: at(targets.kickoff), submit: at(targets.submit), release: at(targets.release) }
}

type Version = [number, number, number]

interface Leaving {
  version: Version
  targets: Record<Phase, number>
}

/** Returns the next free minor version above the highest that leaves before. */
export function nextVersion(releases: readonly Leaving[], kickoff: number): Version {
  const before = releases.filter(({ targets }) => targets.kickoff <= kickoff)
  let minor = Math.max(-1, ...before.map(({ version }) => version[1])) + 1
  while (releases.some(({ version }) => version[1] === minor)) minor += 1
  return [1, minor, 0]
}
