import { MINUTE } from './durations.js'
import { chance, digits } from './chance.js'

/*
 * A CI system: runs wait for a machine, take some time, and sometimes fail. The ending of a run is
 * decided when it is triggered, so that its state at an instant is computed, never advanced. Times
 * are milliseconds since the epoch.
 */

export interface CiSettings {
  /** Maximum number of concurrent runs. */
  machines: number
  /** From a trigger until a run starts on a free machine. */
  queueMs: number
  /** A run takes from `leastMs` to `mostMs`. */
  leastMs: number
  mostMs: number
  /** The share of runs that fail, 0 to 1; `endings` fixes those of the first runs. */
  failing: number
  endings: readonly ('succeeded' | 'failed')[]
  /** The time for which files of a run are kept. */
  keptMs: number
}

export interface SimulatedRun {
  id: string
  number: number
  workflowId: string
  branch: string
  sha: string
  inputs: Readonly<Record<string, string>>
  /** Idempotency key of the trigger; null for a run that nobody requested. */
  key: string | null
  /** The app of the run; absent for a run that all apps see. */
  app?: string
  queuedAt: number
  startsAt: number
  endsAt: number
  ending: 'succeeded' | 'failed'
  canceledAt: number | null
  /** A state that a scenario gives it, whatever the time. */
  pinned: string | null
}

export interface SimulatedCi {
  settings: CiSettings
  workflows: readonly { id: string; name: string }[]
  runs: readonly SimulatedRun[]
  /** The highest run number before the world began: numbers continue from it; chance ignores it. */
  before: number
}

export const USUAL_CI: SimulatedCi = {
  settings: {
    machines: 2,
    queueMs: 20_000,
    leastMs: 12 * MINUTE,
    mostMs: 25 * MINUTE,
    failing: 0.1,
    endings: [],
    keptMs: 90 * 24 * 60 * MINUTE,
  },
  workflows: [
    { id: 'release', name: 'Release candidate' },
    { id: 'development', name: 'Development' },
  ],
  runs: [],
  before: 0,
}

/** A request to a CI system. */
interface Triggering {
  workflowId: string
  branch: string
  sha?: string
  inputs?: Readonly<Record<string, string>>
  key?: string | null
  app?: string
}

/** Returns the highest number that a run has had. */
export const highestNumber = ({ runs, before }: SimulatedCi): number =>
  runs.reduce((most, run) => Math.max(most, run.number), before)

/** Triggers a run; idempotent by its key. */
export function trigger(
  ci: SimulatedCi,
  seed: string,
  now: number,
  { workflowId, branch, sha, inputs = {}, key = null, app }: Triggering
): { ci: SimulatedCi; run: SimulatedRun } {
  const known = key === null ? undefined : ci.runs.find((run) => run.key === key)
  if (known) return { ci, run: known }
  const { settings, runs, before } = ci
  const number = highestNumber(ci) + 1
  const place = number - before
  const { leastMs, mostMs } = settings
  const lasts = Math.round(leastMs + (mostMs - leastMs) * chance(seed, 'ci lasts', place))
  const startsAt = freeFrom(ci, now + settings.queueMs)
  const run: SimulatedRun = {
    id: String(number),
    number,
    workflowId,
    branch,
    sha: sha ?? digits(seed, 40, 'commit', branch),
    inputs,
    key,
    ...(app === undefined ? {} : { app }),
    queuedAt: now,
    startsAt,
    endsAt: startsAt + lasts,
    ending: settings.endings[place - 1] ?? endingBy(settings, seed, place),
    canceledAt: null,
    pinned: null,
  }
  return { ci: { ...ci, runs: [...runs, run] }, run }
}

const endingBy = ({ failing }: CiSettings, seed: string, place: number) =>
  chance(seed, 'ci fails', place) < failing ? 'failed' : 'succeeded'

/**
 * Returns the first instant, at or after `from`, at which a machine is free, given the known runs.
 */
function freeFrom({ settings, runs }: SimulatedCi, from: number): number {
  const ends = runs
    .map(endOf)
    .filter((end) => end > from)
    .sort((one, other) => other - one)
  return ends[settings.machines - 1] ?? from
}

/**
 * Returns when a run frees its machine; a run that is canceled while it waits never occupies one.
 */
function endOf({ startsAt, endsAt, canceledAt }: SimulatedRun): number {
  if (canceledAt === null) return endsAt
  return canceledAt <= startsAt ? canceledAt : Math.min(canceledAt, endsAt)
}

/** Cancels a run; one that has ended stays as it is. */
export function cancel(ci: SimulatedCi, id: string, now: number): SimulatedCi {
  const runs = ci.runs.map((run) => {
    const state = stateOf(run, now)
    const isUnderWay = state === 'queued' || state === 'running'
    if (run.id !== id || !isUnderWay) return run
    return { ...run, canceledAt: now, pinned: run.pinned && 'canceled' }
  })
  return { ...ci, runs }
}

/** Returns `queued`, `running`, `canceled`, the ending, or the state that a scenario gives it. */
export function stateOf(run: SimulatedRun, now: number): string {
  if (run.pinned !== null) return run.pinned
  if (run.canceledAt !== null && run.canceledAt <= now) return 'canceled'
  if (now < run.startsAt) return 'queued'
  return now < run.endsAt ? 'running' : run.ending
}

/** Returns whether the files of a run are still kept. */
export const isKept = ({ settings }: SimulatedCi, run: SimulatedRun, now: number): boolean =>
  now < run.endsAt + settings.keptMs
