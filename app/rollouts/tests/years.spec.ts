import { test } from '@japa/runner'
import { later, type Instant } from '#foundation/core/clock'
import { HOUR } from '#foundation/core/durations'
import { sumOf, type Sample } from '../guard/bounds.js'
import { judgeMetric, type CountedRung } from '../guard/judge_metric.js'
import { nextMove, type LadderState } from '../policy/next_move.js'
import { policyFrom, type RolloutPolicy } from '../policy/policy.js'
import { drawBad, randomOf } from './draws.js'
import { LONG } from '#tests/support/effort'

/*
 * Simulates years of releases, one after the other. Each is driven by its policy and judged by its
 * guard, so that decisions and measurements are tested together.
 */

const HOURS_PER_CHECK = 2
const RELEASES = 1000
const BEFORE = 0.998
/** The longest simulated rollout, in checks. */
const MAX_CHECKS = 12 * 60

interface Release {
  /**
   * The drop of the share of crash-free sessions from the faulty stage on; null for a healthy
   * version.
   */
  drop: number | null
  /** The stage at which the fault appears. */
  faultyFrom: number
  perHour: number
}

/** The outcome of a simulated release. */
interface Reported {
  /**
   * The number of checks from the first that could see the fault until the halt; null if none
   * halted it.
   */
  haltedAfter: number | null
  isHalted: boolean
  isDone: boolean
  /** The description of a move that its policy forbids; null if there was none. */
  broken: string | null
  endedAt: Instant
}

/** Returns the highest share that a policy allows after some hours, even for a healthy version. */
function allowedAfter({ ladder, healthyHours, finishWithinDays }: RolloutPolicy, hours: number) {
  const total = ladder.slice(0, -1).reduce((sum, rung) => sum + rung.hours, 0)
  // A date to finish by shortens all rungs by the same factor.
  const factor = finishWithinDays === null ? 1 : Math.min(1, (finishWithinDays * 24) / total)
  let left = hours / factor
  for (const [index, rung] of ladder.entries()) {
    left -= Math.min(rung.hours, healthyHours ?? rung.hours)
    if (left < 0 || index === ladder.length - 1) return rung.percentage
  }
  return 100
}

function live(
  policy: RolloutPolicy,
  release: Release,
  begin: Instant,
  random: () => number
): Reported {
  const { drop, faultyFrom, perHour } = release
  const guard = policy.guard!
  const ladder: LadderState = {
    state: 'active',
    percentage: policy.ladder[0].percentage,
    since: begin,
    startedAt: begin,
    health: 'notEnoughData',
  }
  let stage = 0
  let seenFor = 0
  let now = begin
  let current: Sample = { of: 0, bad: 0 }
  const days = Array.from({ length: 14 }, () => ({
    of: perHour * 24,
    bad: drawBad(perHour * 24, 1 - BEFORE, random),
  }))
  const baseline = sumOf(days.slice(-7))
  const earlier: CountedRung[] = []
  const reported = { haltedAfter: null, isHalted: false, isDone: false, broken: null } as Omit<
    Reported,
    'endedAt'
  >
  for (let check = 0; check < MAX_CHECKS && !reported.isDone && reported.broken === null; check++) {
    now = later(now, HOURS_PER_CHECK * HOUR)
    if (ladder.state === 'halted') {
      // No person acts: whatever the numbers say, the rollout stays halted for weeks.
      const health = (['healthy', 'off', 'notEnoughData'] as const)[check % 3]
      const { what } = nextMove(policy, { ...ladder, health }, [], now)
      if (what !== 'stay') reported.broken = `halted, it was to ${what}`
      if (check % 200 === 199) break
      continue
    }
    const isFaulty = drop !== null && stage >= faultyFrom
    seenFor += isFaulty ? 1 : 0
    const share = 1 - (isFaulty ? BEFORE - drop : BEFORE)
    current = {
      of: current.of + perHour * HOURS_PER_CHECK,
      bad: current.bad + drawBad(perHour * HOURS_PER_CHECK, share, random),
    }
    const counted = { current, baseline, days, share: ladder.percentage / 100 }
    const judged = {
      guard,
      stages: policy.ladder.length,
      nextShare: (policy.ladder[stage + 1]?.percentage ?? 100) / 100,
    }
    ladder.health = judgeMetric(judged, guard.metrics[0], counted, earlier).verdict
    const move = nextMove(policy, ladder, [], now)
    if (move.what === 'halt') {
      ladder.state = 'halted'
      reported.isHalted = true
      reported.haltedAfter = isFaulty ? seenFor : null
      continue
    }
    if (move.what !== 'grow' || move.at > now) continue
    Object.assign(ladder, { percentage: move.percentage, since: now })
    const hours = (Date.parse(now) - Date.parse(begin)) / HOUR
    if (ladder.percentage > allowedAfter(policy, hours)) {
      reported.broken = `${ladder.percentage} % after ${hours} h`
    }
    stage = policy.ladder.findIndex(({ percentage }) => percentage === ladder.percentage)
    current = { of: 0, bad: 0 }
    earlier.push(counted)
    reported.isDone = ladder.percentage === 100
  }
  return { ...reported, endedAt: now }
}

const POLICIES = [
  { healthyHours: null, finishWithinDays: null },
  { healthyHours: 6, finishWithinDays: null },
  { healthyHours: null, finishWithinDays: 3 },
].map((given) =>
  policyFrom({
    ladder: [1, 5, 10, 20, 50, 100].map((percentage) => ({ percentage, hours: 24 })),
    guard: { metrics: [{ name: 'crashFreeSessions', total: 'sessions', bad: 'crashes' }] },
    ...given,
  })
)

/** Simulates many releases in a row. The seed differs each time, and failures name it. */
function years(makeRelease: (random: () => number) => Release) {
  const seed = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000_000)
  const random = randomOf(seed)
  let begin: Instant = '2026-01-05T09:00:00.000Z'
  const all = Array.from({ length: RELEASES }, (_, index) => {
    const reported = live(POLICIES[index % POLICIES.length], makeRelease(random), begin, random)
    begin = later(reported.endedAt, HOUR)
    return reported
  })
  const lasted = (Date.parse(begin) - Date.parse('2026-01-05T09:00:00.000Z')) / (8766 * HOUR)
  return { all, seed: `TEST_SEED=${seed}`, lasted }
}

test.group('Years of rollouts', () => {
  test('without a drop at most 1 % are halted, none exceeds its policy, and most complete', ({
    assert,
  }) => {
    const { all, seed, lasted } = years((random) => ({
      drop: null,
      faultyFrom: 0,
      perHour: 2000 + Math.floor(random() * 4000),
    }))
    assert.deepEqual(
      all.flatMap(({ broken }) => broken ?? []),
      [],
      seed
    )
    assert.isAtMost(all.filter(({ isHalted }) => isHalted).length / RELEASES, 0.01, seed)
    assert.isAtLeast(all.filter(({ isDone }) => isDone).length / RELEASES, 0.95, seed)
    assert.isAbove(lasted, 5, 'years')
  }).tags([LONG])

  test('a drop from 99.8 to 99.3 % at any stage is halted by the third check, and stays halted', ({
    assert,
  }) => {
    const { all, seed } = years((random) => ({
      drop: 0.005,
      faultyFrom: Math.floor(random() * 5),
      perHour: 2000,
    }))
    assert.deepEqual(
      all.flatMap(({ broken }) => broken ?? []),
      [],
      seed
    )
    // A release that was halted before its fault appeared has nothing to find.
    const faulty = all.filter(({ isHalted, haltedAfter }) => !isHalted || haltedAfter !== null)
    const inTime = faulty.filter(({ haltedAfter }) => haltedAfter !== null && haltedAfter <= 3)
    assert.isAtLeast(inTime.length / faulty.length, 0.99, seed)
    assert.isTrue(
      faulty.every(({ isDone }) => !isDone),
      seed
    )
  })
})
