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
 * Years of releases, one after the other, each driven by its policy and judged by its guard: what
 * is decided and what is measured together, look by look.
 */

const LOOK = 2
const RELEASES = 1000
const BEFORE = 0.998
/** Nobody looks at a rollout for longer than that. */
const MOST_LOOKS = 12 * 60

interface Release {
  /** Share of sessions without a crash from the faulty stage on; null for one that is well. */
  drop: number | null
  /** The stage with whose users the fault comes. */
  faultyFrom: number
  perHour: number
}

/** The end of a release. */
interface Reported {
  /** Looks from the first at which its fault could be seen until it was halted; null for never. */
  haltedAfter: number | null
  isHalted: boolean
  isDone: boolean
  /** Why it stood where it was not to; null if it never did. */
  broken: string | null
  endedAt: Instant
}

/** The furthest that a policy allows after some hours, however well the version does. */
function allowedAfter({ ladder, healthyHours, finishWithinDays }: RolloutPolicy, hours: number) {
  const whole = ladder.slice(0, -1).reduce((sum, rung) => sum + rung.hours, 0)
  // A date to finish by makes all rungs shorter by the same part.
  const part = finishWithinDays === null ? 1 : Math.min(1, (finishWithinDays * 24) / whole)
  let left = hours / part
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
  const is: LadderState = {
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
  for (let look = 0; look < MOST_LOOKS && !reported.isDone && reported.broken === null; look++) {
    now = later(now, LOOK * HOUR)
    if (is.state === 'halted') {
      // Nobody comes: whatever the numbers say, it stays where it is, for weeks.
      const health = (['healthy', 'off', 'notEnoughData'] as const)[look % 3]
      const { what } = nextMove(policy, { ...is, health }, [], now)
      if (what !== 'stay') reported.broken = `halted, it was to ${what}`
      if (look % 200 === 199) break
      continue
    }
    const isFaulty = drop !== null && stage >= faultyFrom
    seenFor += isFaulty ? 1 : 0
    const share = 1 - (isFaulty ? BEFORE - drop : BEFORE)
    current = {
      of: current.of + perHour * LOOK,
      bad: current.bad + drawBad(perHour * LOOK, share, random),
    }
    const counted = { current, baseline, days, share: is.percentage / 100 }
    const judged = {
      ...{ guard, stages: policy.ladder.length },
      nextShare: (policy.ladder[stage + 1]?.percentage ?? 100) / 100,
    }
    is.health = judgeMetric(judged, guard.metrics[0], counted, earlier).verdict
    const move = nextMove(policy, is, [], now)
    if (move.what === 'halt') {
      is.state = 'halted'
      reported.isHalted = true
      reported.haltedAfter = isFaulty ? seenFor : null
      continue
    }
    if (move.what !== 'grow' || move.at > now) continue
    Object.assign(is, { percentage: move.percentage, since: now })
    const hours = (Date.parse(now) - Date.parse(begin)) / HOUR
    if (is.percentage > allowedAfter(policy, hours)) {
      reported.broken = `${is.percentage} % after ${hours} h`
    }
    stage = policy.ladder.findIndex(({ percentage }) => percentage === is.percentage)
    current = { of: 0, bad: 0 }
    earlier.push(counted)
    reported.isDone = is.percentage === 100
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

/** Thousands of releases in a row; the seed is another each time, and said where it matters. */
function years(of: (random: () => number) => Release) {
  const seed = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000_000)
  const random = randomOf(seed)
  let begin: Instant = '2026-01-05T09:00:00.000Z'
  const all = Array.from({ length: RELEASES }, (_, index) => {
    const reported = live(POLICIES[index % POLICIES.length], of(random), begin, random)
    begin = later(reported.endedAt, HOUR)
    return reported
  })
  const lasted = (Date.parse(begin) - Date.parse('2026-01-05T09:00:00.000Z')) / (8766 * HOUR)
  return { all, seed: `TEST_SEED=${seed}`, lasted }
}

test.group('years of rollouts', () => {
  test('without a drop at most 1 % are halted, none stands above its policy, and they end', ({
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

  test('a drop from 99.8 to 99.3 %, at whatever stage, is halted by the third look, and stays so', ({
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
    // One that was halted before its fault came has nothing to find.
    const faulty = all.filter(({ isHalted, haltedAfter }) => !isHalted || haltedAfter !== null)
    const inTime = faulty.filter(({ haltedAfter }) => haltedAfter !== null && haltedAfter <= 3)
    assert.isAtLeast(inTime.length / faulty.length, 0.99, seed)
    assert.isTrue(
      faulty.every(({ isDone }) => !isDone),
      seed
    )
  })
})
