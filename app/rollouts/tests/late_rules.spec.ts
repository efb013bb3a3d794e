import fc from 'fast-check'
import { test } from '@japa/runner'
import { earlier, later, type Instant } from '#foundation/core/clock'
import { DAY, HOUR } from '#foundation/core/durations'
import { runs } from '#tests/support/effort'
import { coveredPart, isStillDue, lateUntil, reachOf } from '../guard/coverage.js'
import { waitText } from '../guard/late_words.js'
import { countMetric, type Counter } from '../measure.js'
import { nextMove, type LadderState } from '../policy/next_move.js'
import { policyFrom } from '../policy/policy.js'
import { lastDays, type PreviousVersion, type Window } from '../policy/spans.js'
import { quietSince } from '../queries/health.js'

const NOW: Instant = '2026-11-27T16:00:00.000Z'
const hours = (most: number) => fc.integer({ min: 0, max: most })

test.group('The time up to which the data of a source reaches', () => {
  test('is never after the requested end, and is that end if the source states no time', ({
    assert,
  }) => {
    const reported = fc.oneof(
      fc.integer({ min: -9e15, max: 9e15 }).map((at) => {
        const date = new Date(at)
        return Number.isNaN(date.getTime()) ? String(at) : date.toISOString()
      }),
      fc.string(),
      fc.constant(undefined)
    )
    fc.assert(
      fc.property(reported, (sampledAt) => {
        const reaches = reachOf(sampledAt, NOW)
        assert.match(reaches, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
        assert.isTrue(reaches <= NOW)
        const at = Date.parse(sampledAt ?? '')
        if (Number.isNaN(at) || at >= Date.parse(NOW)) assert.equal(reaches, NOW)
      }),
      { numRuns: runs(500) }
    )
  })

  test('limits a span to its covered part', ({ assert }) => {
    fc.assert(
      fc.property(hours(100), hours(100), hours(200), (begin, length, reach) => {
        const from = later(NOW, begin * HOUR)
        const span = { from, to: later(from, length * HOUR) }
        const reaches = later(NOW, reach * HOUR)
        const part = coveredPart(span, reaches)
        assert.equal(part.from, from)
        assert.isTrue(part.to >= from && part.to <= span.to)
        if (reaches > from) assert.isTrue(part.to <= reaches)
        if (reaches >= span.to) assert.deepEqual(part, span)
      }),
      { numRuns: runs(500) }
    )
  })

  test('is late from two hours on; data after it is still due', ({ assert }) => {
    const reaches = (late: number) => ({ at: NOW, reaches: earlier(NOW, late * HOUR) })
    assert.isNull(lateUntil({ at: NOW }))
    assert.isNull(lateUntil(reaches(2)))
    assert.equal(lateUntil(reaches(2.1)), earlier(NOW, 2.1 * HOUR))
    assert.isTrue(isStillDue(reaches(30), earlier(NOW, 29 * HOUR)))
    assert.isFalse(isStillDue(reaches(30), earlier(NOW, 30 * HOUR)))
    assert.isFalse(isStillDue(reaches(1), NOW))
  })
})

test.group('Counts of a late source', () => {
  const users = (from: Instant, to: Instant) => (Date.parse(to) - Date.parse(from)) / HOUR

  test('are of the covered span only, and do not depend on the time of the request', async ({
    assert,
  }) => {
    await fc.assert(
      fc.asyncProperty(hours(90), hours(90), fc.boolean(), async (stood, late, countsUsers) => {
        const from = earlier(NOW, stood * HOUR)
        const reaches = earlier(NOW, late * HOUR)
        const before: PreviousVersion = {
          appId: 'a',
          version: '1.3.0',
          from: earlier(from, 20 * DAY),
          to: from,
          reached: [],
        }
        const requested: Window[] = []
        const count = (window: Window) => {
          requested.push(window)
          return Promise.resolve({ of: users(window.from, window.to), bad: 0 })
        }
        const counter: Counter = {
          countsUsers,
          count,
          countDays: (all) => Promise.all(all.map(count)),
          reaches: ({ to }) => Promise.resolve(reachOf(reaches, to)),
        }
        const current = { appId: 'a', version: '1.4.0', from, to: NOW }
        const windows = { current, before, baseline: lastDays(before) }
        const counts = await countMetric(counter, windows)
        assert.equal(counts.current.of, Math.max(0, stood - late))
        assert.equal(counts.reaches, reaches)
        assert.isTrue(requested.every(({ to }) => to <= reaches))
        // No days of the previous version are kept while they may be incomplete.
        if (reaches < from) assert.isEmpty(counts.days)
      }),
      { numRuns: runs(200) }
    )
  })

  test('are silent only in covered hours', ({ assert }) => {
    const stageAt = earlier(NOW, 40 * HOUR)
    const last = {
      ...{ metric: 'a', meaning: 'a', before: null, stageAt, share: 0.1, quiet: 0 },
      ...{ current: { of: 0, bad: 0 }, baseline: null, at: NOW },
    }
    const quiet = (reached: number, reaches: number) =>
      quietSince(
        { ...last, reaches: earlier(NOW, reached * HOUR) },
        { of: 0, bad: 0 },
        earlier(NOW, reaches * HOUR),
        Infinity
      )
    assert.equal(quiet(30, 30), 0)
    assert.equal(quiet(30, 20), 10 * HOUR)
    // Time before the stage does not count as silence.
    assert.equal(quiet(60, 30), 10 * HOUR)
    assert.equal(quiet(60, 50), 0)
  })
})

test.group('A rung whose data is late', () => {
  const policy = policyFrom({
    ladder: [
      { percentage: 5, hours: 24 },
      { percentage: 100, hours: 0 },
    ],
  })
  const stateOf = (stood: number, late: number, change: Partial<LadderState>): LadderState => {
    const since = earlier(NOW, stood * HOUR)
    return {
      ...{ state: 'active', percentage: 5, since, startedAt: since, health: 'healthy' },
      ...{ observedUntil: earlier(NOW, late * HOUR), ...change },
    }
  }

  test('grows once data covers its hours, and never before', ({ assert }) => {
    fc.assert(
      fc.property(hours(200), hours(200), fc.boolean(), (stood, late, isQuick) => {
        const least = isQuick ? 6 : 24
        const quick = { ...policy, healthyHours: isQuick ? 6 : null }
        const move = nextMove(quick, stateOf(stood, late, {}), [], NOW)
        assert.equal(move.what, 'grow')
        if (move.what !== 'grow') return
        assert.equal(move.at <= NOW, stood - late >= least)
        if (move.at > NOW) assert.equal(move.at, later(NOW, (least - stood + late) * HOUR))
      }),
      { numRuns: runs(300) }
    )
  })

  test('waits for the data without calling people, until it is three days late', ({ assert }) => {
    const held = (stood: number, late: number) => {
      const move = nextMove(policy, stateOf(stood, late, { health: 'notEnoughData' }), [], NOW)
      return move.what === 'hold' ? [move.reason, move.isLate] : move.what
    }
    assert.deepEqual(held(30, 31), ['late', false])
    assert.deepEqual(held(50, 30), ['late', false])
    assert.deepEqual(held(54, 30), ['notEnoughData', true])
    assert.deepEqual(held(73, 73), ['late', true])
    assert.deepEqual(held(20, 73), ['late', false])
  })

  test('is halted at once if the version is unhealthy', ({ assert }) => {
    fc.assert(
      fc.property(hours(200), hours(200), (stood, late) => {
        const move = nextMove(policy, stateOf(stood, late, { health: 'unhealthy' }), [], NOW)
        assert.deepEqual(move, { what: 'halt' })
      }),
      { numRuns: runs(100) }
    )
  })

  test('says how late each source is', ({ assert }) => {
    const late = { until: '2026-11-26T09:00:00.000Z', by: 'google-vitals' }
    assert.equal(
      waitText([{ late }, { late }, {}], 5, NOW),
      'Android vitals reports on users until 2026-11-26 09:00 UTC, 31 hours ago; the stage of 5 % is judged once it reports on enough of its users.'
    )
    assert.isNull(waitText([{}], 5, NOW))
    const other = { until: late.until, by: 'sentry' }
    assert.match(
      waitText([{ late }, { late: other }], 5, NOW)!,
      /, and sentry reports .* they report/
    )
  })
})
