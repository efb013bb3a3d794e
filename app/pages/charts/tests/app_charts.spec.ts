import fc from 'fast-check'
import { test } from '@japa/runner'
import { later, type Instant } from '#foundation/core/clock'
import { HOUR } from '#foundation/core/durations'
import { runs } from '#tests/support/effort'
import type { TimeReader } from '../../words/times.js'
import { budgetChart, type KnownOutlook } from '../budget_chart.js'
import { ladderChart, type ForeseenRung } from '../ladder_chart.js'
import { MAX_DRAWN, scheduleChart, type Schedule } from '../schedule_chart.js'
import { faultsOf, HOSTILE } from './faults.js'

/** A Monday. */
const START = '2026-11-16T00:00:00.000Z'

const texts = fc.oneof(
  { weight: 3, arbitrary: fc.string() },
  { weight: 1, arbitrary: fc.constant(HOSTILE) }
)
const at = (hours: number): Instant => later(START, hours * HOUR)
const instants = fc.integer({ min: -500, max: 4000 }).map(at)
const spans = fc
  .tuple(instants, fc.integer({ min: 1, max: 900 }))
  .map(([from, hours]) => ({ from, to: later(from, hours * HOUR) }))
const readers: fc.Arbitrary<TimeReader> = fc.record({
  zone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/Los_Angeles', 'Australia/Lord_Howe'),
  locale: fc.constantFrom('en', 'de', 'en-US', '*'),
  now: instants,
})

const schedules: fc.Arbitrary<Schedule> = fc.record({
  from: fc.constant(START),
  weeks: fc.constant(12),
  trains: fc.array(
    fc.record({
      name: texts,
      isPredicted: fc.boolean(),
      isFrozen: fc.boolean(),
      kickoffAt: fc.option(instants),
      submitAt: fc.option(instants),
      releaseAt: fc.option(instants),
    }),
    { maxLength: 40 }
  ),
  freezes: fc.array(
    fc.tuple(spans, texts).map(([span, name]) => ({ ...span, name })),
    {
      maxLength: 8,
    }
  ),
  quiet: fc.array(spans, { maxLength: 5 }),
})

const rungs: fc.Arbitrary<ForeseenRung[]> = fc
  .tuple(
    fc.uniqueArray(fc.double({ min: 0.01, max: 100, noNaN: true }), { maxLength: 12 }),
    fc.array(fc.integer({ min: 0, max: 90 }), { minLength: 12, maxLength: 12 }),
    fc.integer({ min: 0, max: 12 })
  )
  .map(([shares, hours, reached]) => {
    let since = 0
    return shares
      .sort((one, other) => one - other)
      .map((percentage, index) => ({
        percentage,
        hours: hours[index],
        expectedAt: index < reached ? at((since += hours[index])) : null,
        because: index % 2 ? 'numbers' : 'policy',
      }))
  })

const counts = fc
  .tuple(fc.double({ min: 1, max: 1e9, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([of, share]) => ({ of, bad: of * share }))
const outlooks: fc.Arbitrary<KnownOutlook> = fc.record({
  daily: counts,
  harmedAtMost: fc.double({ min: 0, max: 1e9, noNaN: true }),
  rungs: fc.array(
    fc.record({
      percentage: fc.double({ min: 0.01, max: 100, noNaN: true }),
      days: fc.option(fc.double({ min: 0, max: 1000, noNaN: true })),
      counted: counts,
      stopsAt: fc.option(fc.integer({ min: 1, max: 1e9 })),
      growsUpTo: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    }),
    { minLength: 1, maxLength: 50 }
  ),
})

const BERLIN: TimeReader = { zone: 'Europe/Berlin', locale: 'en', now: '2026-11-19T12:20:00.000Z' }

test.group('The chart of a schedule', () => {
  test('stays in its box and runs nothing, whatever it draws', ({ assert }) => {
    fc.assert(
      fc.property(schedules, readers, (schedule, reader) => {
        const chart = scheduleChart(schedule, { id: 'c1', reader })
        const rows = Math.max(1, Math.min(MAX_DRAWN, schedule.trains.length))
        const height = 8 + (schedule.freezes.length > 0 ? 48 : 0) + rows * 34 + 30
        const whole = { ...chart, keys: [{ line: 'is', label: '' }], table: { head: [], rows: [] } }
        assert.deepEqual(faultsOf(whole as never, height), [])
        assert.notInclude(String(chart.svg), HOSTILE)
      }),
      { numRuns: runs(200) }
    )
  })

  test('names trains and freezes, and draws each where its date is', ({ assert }) => {
    const train = { isPredicted: false, isFrozen: false, submitAt: null, releaseAt: null }
    const trains = [
      { ...train, name: '4.2.0', kickoffAt: at(7 * 24), releaseAt: at(14 * 24) },
      { ...train, name: '4.3.0', isPredicted: true, isFrozen: true, kickoffAt: at(21 * 24) },
      // It has no date in these weeks.
      { ...train, name: '9.9.0', kickoffAt: at(-24) },
    ]
    const freezes = [{ name: 'Holidays', from: at(42 * 24), to: at(63 * 24) }]
    const { title, svg } = scheduleChart(
      { from: START, weeks: 12, trains, freezes, quiet: [] },
      { id: 'c1', reader: { ...BERLIN, zone: 'UTC' } }
    )
    assert.equal(
      title,
      'Twelve weeks: 4.2.0 kickoff Mon 23 Nov, 00:00, release Mon 30 Nov, 00:00; 4.3.0 kickoff Mon 7 Dec, 00:00; 9.9.0 kickoff Sun 15 Nov, 00:00; frozen: Holidays Mon 28 Dec, 00:00 to 18 Jan 2027, 00:00'
    )
    const text = String(svg)
    assert.include(text, `<title id="c1">${title}</title>`)
    const marks = [
      ...text.matchAll(/<svg\s+x="([\d.]+)%"[^>]*class="mark"\s*>\s*<path\s+class="([^"]+)"/g),
    ]
    assert.deepEqual(
      marks.map(([, place, look]) => [place, look]),
      [
        ['8.33', 'kickoffAt full'],
        ['16.67', 'releaseAt full'],
        ['25', 'kickoffAt hollow cold'],
      ]
    )
    assert.match(text, /<rect\s+x="50%"\s+y="8"\s+width="25%"\s+height="\d+"\s+class="frozen"/)
    assert.match(text, />16 Nov<[^]*>23 Nov<[^]*>1 Feb</)
  })
})

test.group('The chart of a ladder', () => {
  test('stays in its box and runs nothing, whatever it draws', ({ assert }) => {
    const closed = spans.map((span) => ({ ...span, why: 'freeze', name: HOSTILE }))
    fc.assert(
      fc.property(rungs, fc.array(closed, { maxLength: 4 }), readers, (ladder, shut, reader) => {
        const chart = ladderChart(ladder, shut, { id: 'c1', reader })
        assert.deepEqual(faultsOf(chart, 168), [])
        assert.lengthOf(chart.table.rows, ladder.length)
      }),
      { numRuns: runs(200) }
    )
  })

  test('rises at each rung, and names a rung that is never reached', ({ assert }) => {
    const rung = { hours: 24, because: 'policy' }
    const { title, svg, table } = ladderChart(
      [
        { ...rung, percentage: 5, expectedAt: at(0) },
        { ...rung, percentage: 50, expectedAt: at(48) },
        { ...rung, percentage: 100, expectedAt: null, because: 'numbers' },
      ],
      [],
      { id: 'c1', reader: { ...BERLIN, zone: 'UTC' } }
    )
    assert.equal(
      title,
      'Share of users if it stays healthy: 5\u00a0% from Mon 16 Nov, 00:00, 50\u00a0% from Wed 18 Nov, 00:00, 100\u00a0% never'
    )
    // Three days from side to side, the share from below.
    assert.include(String(svg), 'd="M0,95L666.7,95L666.7,50L1000,50')
    assert.deepEqual(table.rows.at(-1), ['100\u00a0%', 'Never', '24 h', 'the numbers'])
  })
})

test.group('The chart of a harm budget', () => {
  test('stays in its box and runs nothing, whatever it draws', ({ assert }) => {
    fc.assert(
      fc.property(outlooks, (known) => {
        const chart = budgetChart(known, 'users', 'c1')
        assert.deepEqual(faultsOf(chart, 168), [])
        assert.lengthOf(chart.table.rows, known.rungs.length)
      }),
      { numRuns: runs(200) }
    )
  })

  test('shows earlier failures, the limit for growth, and the count that stops a rollout', ({
    assert,
  }) => {
    const { title, svg, table } = budgetChart(
      {
        daily: { of: 20_000, bad: 100 },
        harmedAtMost: 100,
        rungs: [
          {
            ...{ percentage: 5, days: 1, counted: { of: 1000, bad: 5 } },
            ...{ stopsAt: 24, growsUpTo: 0.03 },
          },
          {
            ...{ percentage: 20, days: null, counted: { of: 4000, bad: 20 } },
            ...{ stopsAt: null, growsUpTo: 0.01 },
          },
        ],
      },
      'users',
      'c1'
    )
    assert.equal(
      title,
      '0.5\u00a0% of users went wrong before; a new version may harm 100 a day; it is stopped at 5\u00a0% from 24 of 1,000'
    )
    assert.include(String(svg), '>0.5\u00a0% before<')
    // One step for each rung, the first above the second.
    assert.match(String(svg), /d="M0,([\d.]+)L500,\1M500,([\d.]+)L1000,\2"/)
    assert.deepEqual(table.rows, [
      ['5\u00a0%', '1', '1,000', '5', '3\u00a0%', '24'],
      ['20\u00a0%', 'No end', '4,000', '20', '1\u00a0%', 'No number'],
    ])
  })
})
