import fc from 'fast-check'
import { test } from '@japa/runner'
import { earlier, later, type Instant } from '#foundation/core/clock'
import { DAY, HOUR, MINUTE } from '#foundation/core/durations'
import { runs } from '#tests/support/effort'
import { countText } from '../../words/numbers.js'
import type { TimeReader } from '../../words/times.js'
import { attemptsChart } from '../attempts_chart.js'
import { healthChart, type LookOfGuard } from '../health_chart.js'
import { lanes, waitsOf, type Lane } from '../lanes.js'
import { axisOf, rolloutChart, type CourseOfRollout, type FlagMark } from '../rollout_chart.js'
import { waitBars, type WaitedStep } from '../wait_bars.js'
import { faultsOf, HOSTILE } from './faults.js'

const START = '2026-11-16T09:00:00.000Z'

const texts = fc.oneof(
  { weight: 3, arbitrary: fc.string() },
  { weight: 1, arbitrary: fc.constant(HOSTILE) }
)
const share = fc.double({ min: 0, max: 100, noNaN: true })
const instants = (most: number) =>
  fc
    .array(fc.integer({ min: 0, max: (30 * DAY) / MINUTE }), { maxLength: most })
    .map((minutes) => minutes.sort((a, b) => a - b).map((each) => later(START, each * MINUTE)))

const readers: fc.Arbitrary<TimeReader> = fc.record({
  zone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/Los_Angeles', 'Australia/Lord_Howe'),
  locale: fc.constantFrom('en', 'de', 'en-US', '*'),
  now: fc.integer({ min: 0, max: 30 * 24 }).map((hours) => later(START, hours * HOUR)),
})

const STATES = ['active', 'paused', 'halted', 'completed', 'replaced'] as const
const courses: fc.Arbitrary<CourseOfRollout> = fc
  .tuple(
    instants(8),
    instants(8),
    fc.array(fc.record({ hours: fc.integer({ min: 1, max: 90 }), name: fc.option(texts) }), {
      maxLength: 4,
    }),
    fc.array(share, { minLength: 16, maxLength: 16 }),
    fc.array(fc.constantFrom(...STATES), { minLength: 8, maxLength: 8 })
  )
  .map(([was, comes, closed, shares, states]) => ({
    reached: was.map((at, index) => ({ at, state: states[index], percentage: shares[index] })),
    forecast: {
      moves: comes.map((at, index) => ({
        ...{ at, percentage: shares[8 + index] },
        what: (['grow', 'pause', 'resume'] as const)[index % 3],
        because: (['rung', 'quietDay', 'freeze', 'officeHours'] as const)[index % 4],
      })),
      closed: closed.map(({ hours, name }, index) => ({
        from: later(START, index * DAY),
        to: later(START, index * DAY + hours * HOUR),
        ...{ why: name === null ? 'quietDay' : 'freeze', name },
      })),
    },
  }))
const flags: fc.Arbitrary<FlagMark[]> = instants(3).chain((all) =>
  fc.tuple(...all.map((at) => fc.record({ at: fc.constant(at), name: texts, what: texts })))
)
const looks: fc.Arbitrary<LookOfGuard[]> = instants(20).chain((all) =>
  fc.tuple(
    ...all.map((at) =>
      fc.record({
        at: fc.constant(at),
        verdict: fc.constantFrom('healthy', 'unhealthy', 'notEnoughData'),
        value: fc.option(share),
        previousValue: fc.option(share),
        threshold: fc.option(fc.double({ min: -50, max: 100, noNaN: true })),
        sample: fc.record({ total: fc.nat(), bad: fc.nat() }),
      })
    )
  )
)

const numbersIn = (text: string) => [...text.matchAll(/-?\d+(?:\.\d+)?/g)].map(Number)

const BERLIN: TimeReader = { zone: 'Europe/Berlin', locale: 'en', now: '2026-11-19T12:20:00.000Z' }
const at = (text: string): Instant => `2026-11-${text}:00.000Z`

/** A rollout with three past and two planned shares. */
const COURSE: CourseOfRollout = {
  reached: [
    { at: at('16T09:00'), state: 'active', percentage: 1 },
    { at: at('17T09:00'), state: 'active', percentage: 5 },
    { at: at('18T09:00'), state: 'active', percentage: 20 },
  ],
  forecast: {
    moves: [
      { at: at('20T08:00'), what: 'grow', percentage: 50, because: 'rung' },
      { at: at('23T08:00'), what: 'grow', percentage: 100, because: 'quietDay' },
    ],
    closed: [
      { from: at('18T16:00'), to: at('19T08:00'), why: 'officeHours', name: null },
      { from: at('20T23:00'), to: at('22T23:00'), why: 'quietDay', name: null },
    ],
  },
}

test.group('The chart of a rollout', () => {
  test('stays in its box and runs nothing, whatever it draws', ({ assert }) => {
    fc.assert(
      fc.property(courses, flags, looks, readers, (course, marks, found, reader) => {
        const axis = axisOf(course, found, reader)
        const chart = rolloutChart(course, marks, { id: 'c1', axis, reader })
        assert.deepEqual(faultsOf(chart, 192), [])
        assert.notInclude(String(chart.svg), HOSTILE)
        // The table has every past share and every planned move.
        assert.isAtLeast(
          chart.table.rows.length,
          course.reached.length + course.forecast.moves.length
        )
      }),
      { numRuns: runs(300) }
    )
  })

  test('shows past and planned shares with their times', ({ assert }) => {
    const axis = axisOf(COURSE, [], BERLIN)
    const flag = { at: at('19T07:20'), name: 'new-checkout', what: 'changed' }
    const { title, svg, keys, table } = rolloutChart(COURSE, [flag], {
      ...{ id: 'c1', axis, reader: BERLIN },
    })
    assert.equal(
      title,
      'Share of users over time: 1\u00a0% from Mon 16 Nov, 10:00, 5\u00a0% from Tue 17 Nov, 10:00, 20\u00a0% since Wed 18 Nov, 10:00; planned: 50\u00a0% tomorrow 09:00, 100\u00a0% Mon 23 Nov, 09:00'
    )
    const text = String(svg)
    assert.include(text, `<title id="c1">${title}</title>`)
    // Eight days from Monday to Monday: 16:00 to 24:00 of an eighth each.
    const labels = [...text.matchAll(/>(\w{3} \d+)</g)].map(([, label]) => label)
    assert.deepEqual(labels, [
      ...['Mon 16', 'Tue 17', 'Wed 18', 'Thu 19'],
      ...['Fri 20', 'Sat 21', 'Sun 22', 'Mon 23'],
    ])
    assert.match(text, /<rect\s+x="62.5%"\s+y="8"\s+width="25%"\s+height="162"\s+class="freeze"/)
    assert.include(text, 'Quiet days')
    assert.include(text, 'Now · 20\u00a0%')
    // The text at the present overlaps no other text, wherever it is on the axis.
    const heights = [...text.matchAll(/<text[^>]*\sy="(\d+)"[^>]*>([^<]*)</g)]
    const now = Number(heights.find(([, , name]) => name.trim().startsWith('Now'))![1])
    for (const [, y, name] of heights) {
      if (!name.trim().startsWith('Now')) assert.isAtLeast(Math.abs(Number(y) - now), 14, name)
    }
    const [past] = [...text.matchAll(/class="past" d="([^"]*)"/g)].map(([, d]) => numbersIn(d))
    // It ends now, at 20 %: three days, 13 hours and 20 minutes of eight days.
    assert.closeTo(past.at(-2)!, (1000 * (3 + (13 + 20 / 60) / 24)) / 8, 0.2)
    assert.equal(past.at(-1), 80)
    assert.deepEqual(
      keys.map(({ label }) => label),
      ['was', 'planned']
    )
    assert.deepEqual(
      table.rows.map(([, percentage, what]) => [percentage, what]),
      [
        ['1\u00a0%', 'Rolling out'],
        ['5\u00a0%', 'Rolling out'],
        ['20\u00a0%', 'Rolling out'],
        ['', 'Flag new-checkout changed'],
        ['50\u00a0%', 'Planned'],
        ['', 'Quiet days until Mon 23 Nov, 00:00'],
        ['100\u00a0%', 'Planned, after quiet days'],
      ]
    )
  })

  test('says that nobody has it before it begins, and ends with the rollout', ({ assert }) => {
    const none = { reached: [], forecast: { moves: [], closed: [] } }
    const draw = (course: CourseOfRollout) =>
      rolloutChart(course, [], { id: 'c1', axis: axisOf(course, [], BERLIN), reader: BERLIN })
    assert.equal(draw(none).title, 'Share of users over time: no user has it yet')
    assert.notInclude(String(draw(none).svg), 'Now')
    const reached = [...COURSE.reached, { at: at('18T15:00'), state: 'completed', percentage: 100 }]
    const whole = draw({ ...none, reached })
    assert.include(whole.title, '100\u00a0% from Wed 18 Nov, 16:00')
    assert.notInclude(String(whole.svg), 'Now')
    const halted = draw({
      ...none,
      reached: [{ at: at('18T15:00'), state: 'halted', percentage: 20 }],
    })
    assert.include(halted.title, '20\u00a0% since Wed 18 Nov, 16:00, halted')
  })
})

test.group('The chart of health', () => {
  const names = { metric: 'Crash-free sessions', version: '4.2.0', before: '4.1.0' }

  test('stays in its box and runs nothing, whatever it draws', ({ assert }) => {
    fc.assert(
      fc.property(courses, looks, readers, texts, (course, found, reader, hostile) => {
        const axis = axisOf(course, found, reader)
        const chart = healthChart(
          found,
          { metric: `m${hostile}`, version: hostile, before: hostile },
          { id: 'c1', axis, reader }
        )
        assert.deepEqual(faultsOf(chart, 92), [])
        assert.notInclude(String(chart.svg), HOSTILE)
        assert.lengthOf(chart.table.rows, found.length)
      }),
      { numRuns: runs(300) }
    )
  })

  test('shows the rate, that of the version before, and the value that halts a rollout', ({
    assert,
  }) => {
    const look = (day: string, value: number | null): LookOfGuard => ({
      ...{ at: at(day), verdict: 'healthy', value, previousValue: 99.78, threshold: 99.53 },
      sample: { total: 412_080, bad: 783 },
    })
    const found = [look('17T09:00', 99.84), look('18T09:00', null), look('19T11:00', 99.81)]
    const axis = axisOf(COURSE, found, BERLIN)
    const { title, svg, keys, table } = healthChart(found, names, {
      ...{ id: 'c1', axis, reader: BERLIN },
    })
    assert.equal(
      title,
      'Crash-free sessions: 99.81\u00a0%, version before 99.78\u00a0%, halted below 99.53\u00a0%'
    )
    const text = String(svg)
    for (const said of ['99.53\u00a0% halts', '99.81\u00a0%', '99.48\u00a0% to 99.89\u00a0%'])
      assert.include(text, said)
    // A look without data leaves a gap in this line, but not in that of the version before.
    assert.lengthOf([.../class="is" d="([^"]*)"/.exec(text)![1].matchAll(/M/g)], 2)
    assert.lengthOf([.../class="was" d="([^"]*)"/.exec(text)![1].matchAll(/M/g)], 1)
    assert.deepEqual(
      keys.map(({ label }) => label),
      ['4.2.0', '4.1.0', 'guard']
    )
    assert.deepEqual(table.rows[1].slice(1), [
      ...['No data', '99.78\u00a0%', '99.53\u00a0%', '412 k', 'Healthy'],
    ])
    const alone = String(
      healthChart(found.slice(0, 1), names, { id: 'c1', axis, reader: BERLIN }).svg
    )
    assert.match(alone, /class="is" d="M[\d.]+,[\d.]+L[\d.]+,[\d.]+"/)
  })

  test('writes a value at or below the limit clear of the limit', ({ assert }) => {
    for (const value of [99.53, 99.5, 99.1]) {
      const look: LookOfGuard = {
        ...{ at: at('19T11:00'), verdict: 'unhealthy', value, previousValue: 99.78 },
        ...{ threshold: 99.53, sample: { total: 80_000, bad: 400 } },
      }
      const axis = axisOf(COURSE, [look], BERLIN)
      const { svg } = healthChart([look], names, { id: 'c1', axis, reader: BERLIN })
      const heightOf = (text: string) =>
        Number(new RegExp(`y="([\\d.]+)"[^>]*>${text}</text`).exec(String(svg))![1])
      assert.isAtLeast(heightOf(`${value}\u00a0%`) - heightOf('99.53\u00a0% halts'), 10)
    }
  })
})

const whos = fc.array(
  fc.record({
    type: fc.constantFrom('user', 'group', 'userAction', 'service', 'store', 'provider'),
    name: texts,
  }),
  { maxLength: 3 }
)
const hours = fc.double({ min: 0, max: 900, noNaN: true })
const waited: fc.Arbitrary<WaitedStep[]> = fc.array(
  fc
    .record({
      name: texts,
      medianHours: fc.option(hours),
      waits: fc.array(fc.record({ who: whos, hours }), { minLength: 1, maxLength: 3 }),
    })
    .map((step) => ({ ...step, hours: step.waits.reduce((sum, each) => sum + each.hours, 0) })),
  { minLength: 1, maxLength: 6 }
)
/** Returns a lane whose spans follow on each other. */
const laneFrom = (version: string, all: readonly Instant[], who: readonly (typeof whos)[]) =>
  fc.tuple(...who).map((people): Lane => ({
    ...{ version, phase: 'Released' },
    spans: people.flatMap((each, index) =>
      all[index] < all[index + 1]
        ? [{ from: all[index], to: all[index + 1], step: version, who: each }]
        : []
    ),
    steps: all.slice(0, 2).map((each) => ({ name: version, at: each })),
    marks: all.slice(-1).map((each) => ({ what: 'released', at: each })),
  }))
const drawn: fc.Arbitrary<Lane[]> = fc.array(
  fc
    .tuple(texts, instants(6))
    .filter(([, all]) => all.length > 1 && all[0] < all[1])
    .chain(([version, all]) => laneFrom(version, all, Array(all.length - 1).fill(whos))),
  { minLength: 1, maxLength: 5 }
)

const END = later(START, 30 * DAY)

test.group('The lanes of a rehearsal', () => {
  test('stay in their box, run nothing, and account for all time, whatever they draw', ({
    assert,
  }) => {
    fc.assert(
      fc.property(drawn, texts, instants(2), readers, (all, name, ends, reader) => {
        const freezes = ends.map((from) => ({ from, to: later(from, DAY), name: name || 'Freeze' }))
        const chart = lanes(all, freezes, { id: 'c1', from: START, to: END, reader })
        const height = Number(/ height="(\d+)"/.exec(String(chart.svg))![1])
        const table = {
          ...chart.table,
          rows: chart.table.rows.map((row) => ['at', ...row.slice(1)]),
        }
        assert.deepEqual(faultsOf({ ...chart, table }, height), [])
        assert.notInclude(String(chart.svg), HOSTILE)
        for (const lane of all) {
          const sum = waitsOf(lane).reduce((total, each) => total + each.hours, 0)
          const whole = lane.spans.reduce(
            (total, { from, to }) => total + (Date.parse(to) - Date.parse(from)) / HOUR,
            0
          )
          assert.closeTo(sum, whole, 1e-6)
        }
      }),
      { numRuns: runs(150) }
    )
  })
})

test.group('The bars of a retrospective', () => {
  test('stay in their box and run nothing, whatever they draw', ({ assert }) => {
    fc.assert(
      fc.property(waited, (steps) => {
        const chart = waitBars(steps, 'c1')
        const table = {
          ...chart.table,
          rows: chart.table.rows.map((row) => ['at', ...row.slice(1)]),
        }
        assert.deepEqual(faultsOf({ ...chart, table }, 46 * steps.length), [])
        assert.notInclude(String(chart.svg), HOSTILE)
        assert.lengthOf(chart.table.rows, steps.length)
      }),
      { numRuns: runs(150) }
    )
  })
})

test.group('The attempts of an endpoint', () => {
  test('stay in their box, are counted in the title and listed in the table', ({ assert }) => {
    const count = fc.integer({ min: 0, max: 100_000 })
    const week = fc.uniqueArray(fc.integer({ min: 0, max: 167 }), { maxLength: 40 })
    fc.assert(
      fc.property(
        week,
        fc.array(count, { minLength: 80, maxLength: 80 }),
        readers,
        (places, counts, reader) => {
          const since = earlier(reader.now, 7 * DAY)
          const counted = places
            .sort((one, other) => one - other)
            .map((hour, index) => ({
              startsAt: later(since, hour * HOUR),
              delivered: counts[2 * index],
              failed: counts[2 * index + 1],
            }))
          const chart = attemptsChart(counted, { id: 'c1', since, reader })
          const height = Number(/ height="(\d+)"/.exec(String(chart.svg))![1])
          assert.deepEqual(faultsOf(chart, height), [])
          assert.lengthOf(chart.table.rows, counted.length)
          const sum = counted.reduce((all, { failed }) => all + failed, 0)
          if (counted.length > 0) assert.include(chart.title, `${countText(sum)} failed`)
        }
      ),
      { numRuns: runs(100) }
    )
  })
})
