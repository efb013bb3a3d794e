import fc from 'fast-check'
import { test } from '@japa/runner'
import { later, type Instant } from '#foundation/core/clock'
import type { Freeze } from '#planning/calendar/freezes'
import { HOUR } from '#foundation/core/durations'
import { nextMove, type Health, type LadderState } from '../policy/next_move.js'
import { nextPhase, PAUSE_BUDGET, type PhaseState } from '../policy/next_phase.js'
import type { RolloutPolicy } from '../policy/policy.js'
import { runs } from '#tests/support/effort'

const START = '2026-03-20T12:00:00.000Z'
const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata']

const POLICY: RolloutPolicy = {
  ladder: [1, 5, 20, 50, 100].map((percentage) => ({ percentage, hours: 24 })),
  healthyHours: null,
  timezone: 'Europe/Berlin',
  officeHours: { from: '09:00', to: '17:00' },
  weekdays: [1, 2, 3, 4, 5],
  quietDays: [],
  finishWithinDays: null,
  call: [],
  guard: null,
  hotfix: 'atOnce',
  stops: 'own',
}

const day = fc.integer({ min: 0, max: 60 })
const policies: fc.Arbitrary<RolloutPolicy> = fc.record({
  ladder: fc
    .uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 6 })
    .chain((shares) =>
      fc.tuple(
        ...[...shares.sort((a, b) => a - b), 100].map((percentage) =>
          fc.record({ percentage: fc.constant(percentage), hours: fc.integer({ min: 1, max: 72 }) })
        )
      )
    ),
  healthyHours: fc.option(fc.integer({ min: 1, max: 24 })),
  timezone: fc.constantFrom(...ZONES),
  officeHours: fc.option(
    fc.constantFrom({ from: '09:00', to: '17:00' }, { from: '00:30', to: '02:45' })
  ),
  weekdays: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
  quietDays: fc.array(day.map((days) => later(START, days * 24 * HOUR).slice(0, 10))),
  finishWithinDays: fc.option(fc.integer({ min: 1, max: 30 })),
  call: fc.constant([]),
  guard: fc.constant(null),
  hotfix: fc.constant('atOnce' as const),
  stops: fc.constant('own' as const),
})
const freezes: fc.Arbitrary<Freeze[]> = fc.array(
  fc.record({ from: day, hours: fc.integer({ min: 1, max: 100 }) }).map(({ from, hours }) => ({
    id: `${from} ${hours}`,
    startAt: later(START, from * 24 * HOUR),
    endAt: later(START, (from * 24 + hours) * HOUR),
    phases: ['release' as const],
  })),
  { maxLength: 3 }
)
const healths = fc.constantFrom<Health>(
  'off',
  'healthy',
  'unhealthy',
  'notEnoughData',
  'silent',
  'noBaseline'
)

/** Returns the local date, weekday and time, by another calendar than the tested one. */
function localOf(zone: string, at: Instant) {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(new Date(at))
  const of = (type: string) => parts.find((part) => part.type === type)!.value
  const date = `${of('year')}-${of('month')}-${of('day')}`
  return {
    date,
    weekday: ((new Date(`${date}T12:00:00Z`).getUTCDay() + 6) % 7) + 1,
    time: `${of('hour')}:${of('minute')}`,
  }
}

/** Returns why a policy forbids growth at an instant; null if growth is allowed. */
function forbiddenBy(policy: RolloutPolicy, frozen: readonly Freeze[], at: Instant): string | null {
  const { date, weekday, time } = localOf(policy.timezone, at)
  if (!policy.weekdays.includes(weekday)) return `weekday ${weekday}`
  if (policy.quietDays.includes(date)) return `quiet day ${date}`
  const { officeHours } = policy
  if (officeHours && (time < officeHours.from || time >= officeHours.to)) return `at ${time}`
  return frozen.some(({ startAt, endAt }) => startAt <= at && at < endAt) ? 'frozen' : null
}

test.group('rollout ladder', () => {
  test('a rollout never exceeds the share that its policy allows at that instant', ({ assert }) => {
    fc.assert(
      fc.property(
        policies,
        freezes,
        fc.array(fc.tuple(fc.integer({ min: 1, max: 40 }), healths), {
          minLength: 5,
          maxLength: 80,
        }),
        (policy, frozen, looks) => {
          let at = START
          const { percentage } = policy.ladder[0]
          const is: LadderState = {
            state: 'active',
            percentage,
            since: at,
            startedAt: at,
            health: 'off',
          }
          for (const [hours, health] of looks) {
            at = later(at, hours * HOUR)
            is.health = health
            const move = nextMove(policy, is, frozen, at)
            if (move.what === 'halt') {
              assert.equal(health, 'unhealthy')
              is.state = 'halted'
            }
            if (move.what !== 'grow') continue
            assert.isTrue(move.at >= at, 'the move is not in the past')
            assert.isNull(forbiddenBy(policy, frozen, move.at), JSON.stringify([move, at]))
            if (move.at > at) continue
            // It grows now: by one rung, at its time or for the deadline, and only while growth is
            // allowed.
            assert.equal(is.state, 'active')
            assert.include(['healthy', 'off'], health)
            const stood = (Date.parse(at) - Date.parse(is.since)) / HOUR
            const rung = policy.ladder.find((each) => each.percentage === is.percentage)!
            const least = health === 'healthy' ? (policy.healthyHours ?? rung.hours) : rung.hours
            const next = policy.ladder[policy.ladder.indexOf(rung) + 1]
            assert.equal(move.percentage, next.percentage)
            if (policy.finishWithinDays === null) {
              assert.isAtLeast(stood, Math.min(least, rung.hours))
            }
            assert.isAbove(move.percentage, is.percentage)
            Object.assign(is, { percentage: move.percentage, since: at })
            if (move.percentage === 100) is.state = 'complete'
          }
        }
      ),
      { numRuns: runs(1000) }
    )
  })

  test('a halted, paused or complete rollout stays so, whatever the time and the numbers', ({
    assert,
  }) => {
    const state = fc.constantFrom<LadderState['state']>(
      'halted',
      'paused',
      'complete',
      'notStarted'
    )
    fc.assert(
      fc.property(
        policies,
        freezes,
        state,
        healths,
        fc.nat(9000),
        (policy, frozen, of, health, hours) => {
          const now = later(START, hours * HOUR)
          const is = { state: of, percentage: 5, since: START, startedAt: START, health }
          assert.deepEqual(nextMove(policy, is, frozen, now), { what: 'stay', reason: of } as never)
        }
      )
    )
  })

  test('growth waits for the end of a weekend, a holiday and a freeze, in the time zone of the policy', ({
    assert,
  }) => {
    const is = { state: 'active', percentage: 5, health: 'off' } as const
    const move = (since: Instant, change: Partial<RolloutPolicy> = {}, frozen: Freeze[] = []) =>
      nextMove({ ...POLICY, ...change }, { ...is, since, startedAt: since }, frozen, since)
    // Friday noon to Monday 9:00, after clocks went forward on Sunday.
    const at = '2026-03-30T07:00:00.000Z'
    assert.deepEqual(move('2026-03-27T12:00:00.000Z'), {
      what: 'grow',
      percentage: 20,
      at,
      isOverdue: false,
    })
    const tuesday = move('2026-03-27T12:00:00.000Z', { quietDays: ['2026-03-30'] })
    assert.deepEqual(tuesday, {
      what: 'grow',
      percentage: 20,
      at: '2026-03-31T07:00:00.000Z',
      isOverdue: false,
    })
    const freeze = { id: 'f', startAt: at, endAt: '2026-03-30T10:30:00.000Z', phases: ['release'] }
    const thawed = move('2026-03-27T12:00:00.000Z', {}, [freeze as Freeze])
    assert.deepEqual(thawed, {
      what: 'grow',
      percentage: 20,
      at: freeze.endAt,
      isOverdue: false,
    })
  })

  test('a deadline shortens all remaining rungs, and skips none', ({ assert }) => {
    const policy = {
      ...POLICY,
      officeHours: null,
      weekdays: [1, 2, 3, 4, 5, 6, 7],
      finishWithinDays: 2,
    }
    let is: LadderState = {
      ...{ state: 'active', percentage: 1, since: START, startedAt: START, health: 'off' },
    }
    const reached: number[] = []
    while (is.percentage < 100) {
      const move = nextMove(policy, is, [], is.since)
      if (move.what !== 'grow') throw new Error(move.what)
      assert.isFalse(move.isOverdue)
      reached.push(move.percentage)
      is = { ...is, percentage: move.percentage, since: move.at }
    }
    assert.deepEqual(reached, [5, 20, 50, 100])
    assert.equal(is.since, later(START, 48 * HOUR))
  })

  test('after the deadline, a rollout grows rung by rung at once, and is overdue', ({ assert }) => {
    const policy = { ...POLICY, finishWithinDays: 3 }
    const is = { state: 'active', percentage: 5, since: START, startedAt: START } as const
    const now = '2026-03-24T09:00:00.000Z'
    for (const health of ['healthy', 'off'] as const) {
      assert.deepEqual(nextMove(policy, { ...is, health }, [], now), {
        ...{ what: 'grow', percentage: 20, at: now, isOverdue: true },
      })
    }
    const early = '2026-03-20T15:00:00.000Z'
    for (const health of ['notEnoughData', 'silent'] as const) {
      assert.deepEqual(nextMove(policy, { ...is, health }, [], now), {
        ...{ what: 'hold', reason: health, isLate: true, isOverdue: true },
      })
      assert.deepEqual(nextMove(policy, { ...is, health }, [], early), {
        ...{ what: 'hold', reason: health, isLate: false, isOverdue: false },
      })
    }
  })

  test('without a previous version, a rollout is held, and late at once', ({ assert }) => {
    const is = { state: 'active', percentage: 5, since: START, startedAt: START } as const
    assert.deepEqual(nextMove(POLICY, { ...is, health: 'noBaseline' }, [], START), {
      ...{ what: 'hold', reason: 'noBaseline', isLate: true, isOverdue: false },
    })
  })

  test('a healthy version climbs faster if the policy says so', ({ assert }) => {
    const policy = { ...POLICY, healthyHours: 2, officeHours: null }
    const is = { state: 'active', percentage: 5, since: START, startedAt: START } as const
    for (const [health, at] of [
      ['healthy', '2026-03-20T14:00:00.000Z'],
      ['off', '2026-03-22T23:00:00.000Z'],
    ] as const) {
      const expected = { what: 'grow', percentage: 20, at, isOverdue: false }
      assert.deepEqual(nextMove(policy, { ...is, health }, [], START), expected as never)
    }
  })
})

test.group('phased release of Apple', () => {
  const is: PhaseState = {
    ...{ state: 'active', pausedDays: 0, pausedFor: null, health: 'off' },
    since: '2026-03-20T10:00:00.000Z',
    overruled: [],
  }
  const FRIDAY = '2026-03-20T12:00:00.000Z'
  const SATURDAY = '2026-03-21T12:00:00.000Z'
  const MONDAY = '2026-03-22T23:00:00.000Z'
  const EVERY = { ...POLICY, weekdays: [1, 2, 3, 4, 5, 6, 7] }

  test('is paused on quiet days, and resumed after them', ({ assert }) => {
    assert.deepEqual(nextPhase(POLICY, is, [], FRIDAY), { what: 'stay', reason: 'climbs' })
    assert.deepEqual(nextPhase(POLICY, is, [], SATURDAY), { what: 'pause', reason: 'quiet' })
    const paused = { ...is, state: 'paused', pausedFor: 'quiet' } as const
    assert.deepEqual(nextPhase(POLICY, paused, [], SATURDAY), { what: 'resume', at: MONDAY })
    assert.deepEqual(nextPhase(POLICY, paused, [], MONDAY), { what: 'resume', at: MONDAY })
  })

  test('only a person resumes a rollout that a person paused or that was unhealthy', ({
    assert,
  }) => {
    fc.assert(
      fc.property(
        policies,
        freezes,
        healths,
        fc.nat(40),
        fc.nat(2000),
        (policy, frozen, health, pausedDays, hours) => {
          const now = later(START, hours * HOUR)
          for (const pausedFor of [null, 'unhealthy'] as const) {
            const move = nextPhase(
              policy,
              { state: 'paused', pausedDays, pausedFor, since: START, overruled: [], health },
              frozen,
              now
            )
            assert.equal(move.what, 'stay')
          }
        }
      )
    )
  })

  test('quiet days leave a part of the pause days to unhealthy versions, which may use all', ({
    assert,
  }) => {
    const spent = { ...is, pausedDays: PAUSE_BUDGET - 10 }
    assert.deepEqual(nextPhase(POLICY, spent, [], SATURDAY), { what: 'stay', reason: 'budget' })
    for (const health of ['unhealthy', 'silent'] as const) {
      const move = nextPhase(POLICY, { ...spent, health }, [], FRIDAY)
      assert.deepEqual(move, { what: 'pause', reason: health })
      const over = nextPhase(POLICY, { ...is, pausedDays: PAUSE_BUDGET, health }, [], FRIDAY)
      assert.deepEqual(over, { what: 'stay', reason: 'budget' })
    }
    const silent = { ...is, state: 'paused', pausedFor: 'silent', health: 'silent' } as const
    assert.deepEqual(nextPhase(POLICY, silent, [], FRIDAY), { what: 'resume', at: null })
  })

  test('is paused before a day that the numbers do not justify, and resumed once they do', ({
    assert,
  }) => {
    for (const health of ['notEnoughData', 'noBaseline'] as const) {
      const at = '2026-03-21T06:00:00.000Z'
      assert.deepEqual(nextPhase(EVERY, { ...is, health }, [], FRIDAY), {
        ...{ what: 'stay', reason: 'climbs', at },
      })
      assert.deepEqual(nextPhase(EVERY, { ...is, health }, [], at), {
        what: 'pause',
        reason: health,
      })
      const paused = { ...is, state: 'paused', pausedFor: health } as const
      assert.deepEqual(nextPhase(EVERY, { ...paused, health }, [], SATURDAY), {
        ...{ what: 'resume', at: null },
      })
      assert.deepEqual(nextPhase(EVERY, { ...paused, health: 'healthy' }, [], SATURDAY), {
        ...{ what: 'resume', at: SATURDAY },
      })
    }
  })

  test('is not paused again on the same day for a reason that a person overruled, unless it is unhealthy', ({
    assert,
  }) => {
    for (const reason of ['silent', 'quiet', 'notEnoughData', 'noBaseline'] as const) {
      const health = reason === 'quiet' ? 'off' : reason
      const policy = reason === 'quiet' ? POLICY : EVERY
      const move = (overruled: PhaseState['overruled']) =>
        nextPhase(policy, { ...is, health, overruled }, [], SATURDAY)
      assert.deepEqual(move([]), { what: 'pause', reason })
      assert.deepEqual(move([reason]), { what: 'stay', reason: 'climbs' })
      assert.deepEqual(move(['unhealthy']), { what: 'pause', reason })
    }
    const bad = { ...is, health: 'unhealthy', overruled: ['unhealthy', 'silent'] } as const
    assert.deepEqual(nextPhase(EVERY, bad, [], FRIDAY), { what: 'pause', reason: 'unhealthy' })
  })

  test('is not resumed unless it is healthy, whatever the reason of the pause', ({ assert }) => {
    const pauses = fc.constantFrom<PhaseState['pausedFor']>('silent', 'quiet', 'notEnoughData')
    fc.assert(
      fc.property(policies, freezes, healths, pauses, (policy, frozen, health, pausedFor) => {
        const state = { ...is, state: 'paused', pausedFor, health } as const
        const move = nextPhase(policy, state, frozen, SATURDAY)
        const isWell = health === 'healthy' || health === 'off'
        if (!isWell && move.what === 'resume') assert.isNull(move.at)
      })
    )
  })
})
