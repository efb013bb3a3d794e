import { later, type Instant } from '#foundation/core/clock'
import { DAY, HOUR } from '#foundation/core/durations'
import type { Sample } from '../guard/bounds.js'
import { judgeMetric, type CountedRung } from '../guard/judge_metric.js'
import { countMetric, type Counter, type Known } from '../measure.js'
import { policyFrom, type GuardMetric } from '../policy/policy.js'
import { lastDays, type PreviousVersion, type Window } from '../policy/spans.js'
import { drawBad, drawBursts, drawNormal, type Random } from './draws.js'

/**
 * The assumed facts about a release of the simulated app. It climbs rungs of a day each, and is
 * judged every two hours.
 */
export interface Planted {
  /** Daily counts of all users. */
  daily: number
  /** The unit of counts: users are counted once a day, sessions as often as they occur. */
  unit: 'users' | 'sessions'
  /** The shares of the unit that go wrong, in the previous version and in this one. */
  before: number
  now: number
  /** The mean length of bursts of what goes wrong; 1 for counts that are independent. */
  burst?: number
  /** By how much days differ from each other, as a part of what goes wrong. */
  variation?: number
  /**
   * The number of times per day that affected users meet a fault; a user who met it meets it again.
   * Absent if each day of each user is another chance.
   */
  recurrence?: number
  /** The chance that a user comes on a day. A user who comes on several days is counted once. */
  comes?: number
  harmBudget?: number
  /**
   * The number of days that users had the previous version; the design effect is estimated from 14.
   */
  lived?: number
  /**
   * True if a rung waits for the guard. Otherwise it waits only for its time, and the guard can
   * only stop it.
   */
  waits?: boolean
}

export interface Climbed {
  /** The number of days after which all users had it; null if that did not happen. */
  days: number | null
  isStopped: boolean
  /** True if it reached a share of users at which it harms more users than its budget allows. */
  isBeyond: boolean
  /** The expected number of users that its drop harmed within 30 days. */
  harmed: number
}

const LADDER = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1]
const INTERVAL = 2 * HOUR
const CHECKS_PER_DAY = DAY / INTERVAL
/** The longest simulated rollout. */
const MAX_DAYS = 60
/** The days in which harmed users are counted. */
const HARM_DAYS = 30

/** The time at which all simulated data begin, and the begin of the rollout. */
const ORIGIN: Instant = '2026-01-05T00:00:00.000Z'
const START = later(ORIGIN, 28 * DAY)

const METRICS: Readonly<Record<Planted['unit'], GuardMetric>> = {
  users: { name: 'crashes', source: 'crashMonitoring', measure: 'crashFreeUsers' },
  sessions: { name: 'crashes', source: 'crashMonitoring', measure: 'crashFreeSessions' },
}

/** Holds the counts of a version per check, since an instant. */
class Counted {
  readonly #since: number
  readonly #of = [0]
  readonly #bad = [0]

  constructor(since: Instant) {
    this.#since = Date.parse(since)
  }

  add({ of, bad }: Sample): void {
    this.#of.push(this.#of.at(-1)! + of)
    this.#bad.push(this.#bad.at(-1)! + bad)
  }

  in({ from, to }: Window): Sample {
    const [first, last] = [from, to].map((at) =>
      Math.round((Date.parse(at) - this.#since) / INTERVAL)
    )
    return { of: this.#of[last] - this.#of[first], bad: this.#bad[last] - this.#bad[first] }
  }
}

/** Draws the counts of a version, as its share of users grows. */
class Version {
  readonly counted: Counted
  readonly #planted: Planted
  readonly #share: number
  readonly #random: Random
  readonly #since: number
  /** The number of users prone to its fault, among the share of users that have it. */
  #prone = 0
  #reached = 0
  #today = 1
  /** The fraction of a case left over from earlier checks. */
  #due = 0
  #checks = 0

  constructor(planted: Planted, share: number, since: Instant, random: Random) {
    this.counted = new Counted(since)
    this.#planted = planted
    this.#share = share
    this.#since = Date.parse(since)
    this.#random = random
  }

  get now(): Instant {
    return later(new Date(this.#since).toISOString(), this.#checks * INTERVAL)
  }

  /** Returns the counts until the next check. */
  check(reach: number): Sample {
    const { daily, recurrence, variation = 0, burst = 1 } = this.#planted
    if (this.#checks++ % CHECKS_PER_DAY === 0)
      this.#today = Math.exp(variation * drawNormal(this.#random))
    this.#due += (daily * reach) / CHECKS_PER_DAY
    const of = Math.floor(this.#due + 1e-9)
    this.#due -= of
    const share = Math.min(1, this.#share * this.#today)
    const bad =
      recurrence === undefined
        ? drawBursts(of, share, burst, this.#random)
        : drawBad(this.#proneIn(reach), recurrence / CHECKS_PER_DAY, this.#random)
    const sample = { of, bad: Math.min(of, bad) }
    this.counted.add(sample)
    return sample
  }

  #proneIn(reach: number): number {
    const { daily, recurrence } = this.#planted
    const more = (daily * (reach - this.#reached) * this.#share) / recurrence!
    // A random number of them, as if each of many users were prone by chance.
    if (more > 0) this.#prone += drawBad(Math.round(more * 100), 0.01, this.#random)
    this.#reached = reach
    return this.#prone
  }
}

/**
 * Simulates one release until it is stopped, or until all users have it; the guard judges no more
 * then.
 */
export async function simulateRelease(planted: Planted, random: Random): Promise<Climbed> {
  const { unit, waits = true, lived = 13, harmBudget = 0.005 } = planted
  const old = new Version(planted, planted.before, later(START, -lived * DAY), random)
  while (old.now < START) old.check(1)
  const version = new Version(planted, planted.now, START, random)
  const before: PreviousVersion = {
    appId: 'a',
    version: '1.3.0',
    from: later(START, -lived * DAY),
    to: START,
    reached: [],
  }
  const counter = counterOf(planted, old, version)
  const { guard } = policyFrom({
    guard: { metrics: [METRICS[unit] as never], harmBudget: harmBudget * 100 },
  })
  const drop = Math.max(0, planted.now - planted.before)
  const outcome = { days: null, isStopped: false, isBeyond: false, harmed: 0 } as Climbed
  const earlier: CountedRung[] = []
  let known: Known = {}
  for (const [index, share] of LADDER.entries()) {
    const nextShare = LADDER.at(index + 1)
    outcome.isBeyond ||= index > 0 && share * drop > harmBudget
    if (nextShare === undefined) break
    const from = version.now
    for (let stood = 1; ; stood++) {
      const { of } = version.check(share)
      if (Date.parse(version.now) - Date.parse(START) <= HARM_DAYS * DAY)
        outcome.harmed += of * drop
      const current = { appId: 'a', version: '1.4.0', from, to: version.now }
      const windows = { current, before, baseline: lastDays(before) }
      const counted = { ...(await countMetric(counter, windows, known)), share }
      known = counted
      const judged = { guard: guard!, stages: LADDER.length, nextShare }
      const { verdict } = judgeMetric(judged, METRICS[unit], counted, earlier)
      if (verdict === 'unhealthy') return { ...outcome, isStopped: true }
      if (stood >= CHECKS_PER_DAY && (!waits || verdict === 'healthy')) {
        earlier.push(counted)
        known = { days: counted.days }
        break
      }
      if (version.now > later(START, MAX_DAYS * DAY)) return outcome
    }
  }
  const days = (Date.parse(version.now) - Date.parse(START)) / DAY
  outcome.harmed += Math.max(0, HARM_DAYS - days) * planted.daily * drop
  return { ...outcome, days }
}

function counterOf({ unit, comes = 0.2 }: Planted, old: Version, version: Version): Counter {
  const sampleIn = (window: Window): Sample => {
    const sample = (window.version === '1.3.0' ? old : version).counted.in(window)
    const days = (Date.parse(window.to) - Date.parse(window.from)) / DAY
    if (unit === 'sessions' || days <= 1) return sample
    const distinct = (1 - (1 - comes) ** days) / (comes * days)
    return { of: sample.of * distinct, bad: sample.bad * distinct }
  }
  return {
    countsUsers: unit === 'users',
    count: (window) => Promise.resolve(sampleIn(window)),
    countDays: (windows) => Promise.resolve(windows.map(sampleIn)),
  }
}

/** Simulates many releases, one after the other. */
export async function simulate(
  planted: Planted,
  count: number,
  random: Random
): Promise<Climbed[]> {
  const all: Climbed[] = []
  for (let release = 0; release < count; release++) all.push(await simulateRelease(planted, random))
  return all
}
