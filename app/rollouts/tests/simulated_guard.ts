import { later, type Instant } from '#foundation/core/clock'
import { DAY, HOUR } from '#foundation/core/durations'
import type { Sample } from '../guard/bounds.js'
import { judgeMetric, type CountedRung } from '../guard/judge_metric.js'
import { countMetric, type Counter, type Known } from '../measure.js'
import { policyFrom, type GuardMetric } from '../policy/policy.js'
import { lastDays, type BeforeIt, type Window } from '../policy/spans.js'
import { drawBad, drawBursts, drawNormal, type Random } from './draws.js'

/** A release of the simulated app, climbing rungs of a day each, judged every two hours. */
export interface Planted {
  /** Daily counts of all users. */
  daily: number
  /** Users are counted once a day; sessions as often as there are any. */
  unit: 'users' | 'sessions'
  /** Shares of it that go wrong, of the version before and of this one. */
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
  /** The chance of a user to come on a day: who comes seldom is not counted twice. */
  comes?: number
  harmBudget?: number
  /** Days that users had the version before: the design effect is estimated from 14. */
  lived?: number
  /** True if a rung waits for the guard; otherwise only for its time, and the guard only stops. */
  waits?: boolean
}

export interface Climbed {
  /** Days after which all had it; null if it did not come to that. */
  days: number | null
  isStopped: boolean
  /** True if it reached a share of users at which it harms more than its budget. */
  isBeyond: boolean
  /** Those within 30 days whom a version without a drop would not have harmed, as their mean. */
  harmed: number
}

const LADDER = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1]
const LOOK = 2 * HOUR
const LOOKS = DAY / LOOK
/** Nobody waits longer. */
const MOST_DAYS = 60
/** Days in which those who are harmed are counted. */
const COUNTED = 30

/** The earliest time users got the previous version, and the begin of the rollout. */
const ORIGIN: Instant = '2026-01-05T00:00:00.000Z'
const START = later(ORIGIN, 28 * DAY)

const METRICS: Readonly<Record<Planted['unit'], GuardMetric>> = {
  users: { name: 'crashes', source: 'crashMonitoring', measure: 'crashFreeUsers' },
  sessions: { name: 'crashes', source: 'crashMonitoring', measure: 'crashFreeSessions' },
}

/** The counts of a version, poll by poll, since an instant. */
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
    const [first, last] = [from, to].map((at) => Math.round((Date.parse(at) - this.#since) / LOOK))
    return { of: this.#of[last] - this.#of[first], bad: this.#bad[last] - this.#bad[first] }
  }
}

/** Draws what a version has, as more and more users get it. */
class Version {
  readonly counted: Counted
  readonly #planted: Planted
  readonly #share: number
  readonly #random: Random
  readonly #since: number
  /** Those whom its fault is for, among the share of users that have it. */
  #prone = 0
  #reached = 0
  #today = 1
  /** Remainder until the next counted case. */
  #due = 0
  #looks = 0

  constructor(planted: Planted, share: number, since: Instant, random: Random) {
    this.counted = new Counted(since)
    this.#planted = planted
    this.#share = share
    this.#since = Date.parse(since)
    this.#random = random
  }

  get now(): Instant {
    return later(new Date(this.#since).toISOString(), this.#looks * LOOK)
  }

  /** @returns what is counted until the next look */
  look(reach: number): Sample {
    const { daily, recurrence, variation = 0, burst = 1 } = this.#planted
    if (this.#looks++ % LOOKS === 0) this.#today = Math.exp(variation * drawNormal(this.#random))
    this.#due += (daily * reach) / LOOKS
    const of = Math.floor(this.#due + 1e-9)
    this.#due -= of
    const share = Math.min(1, this.#share * this.#today)
    const bad =
      recurrence === undefined
        ? drawBursts(of, share, burst, this.#random)
        : drawBad(this.#proneIn(reach), recurrence / LOOKS, this.#random)
    const sample = { of, bad: Math.min(of, bad) }
    this.counted.add(sample)
    return sample
  }

  #proneIn(reach: number): number {
    const { daily, recurrence } = this.#planted
    const more = (daily * (reach - this.#reached) * this.#share) / recurrence!
    // As many as a chance for each of many users gives.
    if (more > 0) this.#prone += drawBad(Math.round(more * 100), 0.01, this.#random)
    this.#reached = reach
    return this.#prone
  }
}

/** One release until it is stopped, or until all have it: it is judged no more then. */
export async function simulateRelease(planted: Planted, random: Random): Promise<Climbed> {
  const { unit, waits = true, lived = 13, harmBudget = 0.005 } = planted
  const old = new Version(planted, planted.before, later(START, -lived * DAY), random)
  while (old.now < START) old.look(1)
  const version = new Version(planted, planted.now, START, random)
  const before: BeforeIt = {
    ...{ appId: 'a', version: '1.3.0', from: later(START, -lived * DAY), to: START },
    reached: [],
  }
  const counter = counterOf(planted, old, version)
  const { guard } = policyFrom({
    guard: { metrics: [METRICS[unit] as never], harmBudget: harmBudget * 100 },
  })
  const drop = Math.max(0, planted.now - planted.before)
  const found = { days: null, isStopped: false, isBeyond: false, harmed: 0 } as Climbed
  const earlier: CountedRung[] = []
  let known: Known = {}
  for (const [index, share] of LADDER.entries()) {
    const nextShare = LADDER.at(index + 1)
    found.isBeyond ||= index > 0 && share * drop > harmBudget
    if (nextShare === undefined) break
    const from = version.now
    for (let stood = 1; ; stood++) {
      const { of } = version.look(share)
      if (Date.parse(version.now) - Date.parse(START) <= COUNTED * DAY) found.harmed += of * drop
      const current = { appId: 'a', version: '1.4.0', from, to: version.now }
      const windows = { current, before, baseline: lastDays(before) }
      const counted = { ...(await countMetric(counter, windows, known)), share }
      known = counted
      const judged = { guard: guard!, stages: LADDER.length, nextShare }
      const { verdict } = judgeMetric(judged, METRICS[unit], counted, earlier)
      if (verdict === 'unhealthy') return { ...found, isStopped: true }
      if (stood >= LOOKS && (!waits || verdict === 'healthy')) {
        earlier.push(counted)
        known = { days: counted.days }
        break
      }
      if (version.now > later(START, MOST_DAYS * DAY)) return found
    }
  }
  const days = (Date.parse(version.now) - Date.parse(START)) / DAY
  found.harmed += Math.max(0, COUNTED - days) * planted.daily * drop
  return { ...found, days }
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

/** Many releases, one after the other. */
export async function simulate(
  planted: Planted,
  count: number,
  random: Random
): Promise<Climbed[]> {
  const all: Climbed[] = []
  for (let release = 0; release < count; release++) all.push(await simulateRelease(planted, random))
  return all
}
