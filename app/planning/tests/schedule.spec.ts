import fc from 'fast-check'
import { test } from '@japa/runner'
import type { Cadence } from '#planning/calendar/cadence'
import { datesOf, firstSlot, slotAfter } from '#planning/calendar/cadence'
import { daysAfter, dateIn } from '#planning/calendar/local_time'
import { nextDecision } from '#planning/calendar/next_decision'
import { afterTurn, nextInRotation } from '#planning/calendar/rotation'
import { predictedTrains, slots, type ScheduleFacts } from '#planning/calendar/schedule'
import { compareVersions, normalVersion } from '#workflow/version'
import { later } from '#foundation/core/clock'
import { DAY } from '#foundation/core/durations'
import { runs } from '#tests/support/effort'

const CADENCE: Cadence = {
  enabled: true,
  paused: false,
  intervalWeeks: 1,
  startDate: '2026-11-02',
  timezone: 'Europe/Berlin',
  targets: {
    kickoff: { dayOffset: 0, time: '10:00' },
    submit: { dayOffset: 3, time: '12:00' },
    release: { dayOffset: 7, time: '09:00' },
  },
  skipFrozenDates: false,
  draftWeeksAhead: 4,
  exceptions: [],
  absences: [],
}

const FACTS: ScheduleFacts = {
  cadence: CADENCE,
  undecidedFrom: '2026-11-02',
  freezes: [],
  defaultReleaseType: 'minor',
  releases: [{ version: { major: 1, minor: 4, patch: 2 }, kickoffAt: null }],
  rotation: { members: ['ann', 'bob', 'cy'], last: 'ann' },
  ownKickoffs: new Set(),
  drafted: [],
  known: () => true,
}

const shown = (facts: ScheduleFacts, until: string) =>
  [...predictedTrains(facts, until)].map(({ date, version, pilotId, dates }) => ({
    date,
    version: normalVersion(version),
    pilotId,
    ...dates,
  }))

const trains = (changes: Partial<ScheduleFacts>, until = '2026-12-01T00:00:00.000Z') =>
  shown({ ...FACTS, ...changes }, until).map(({ date, version, pilotId }) => [
    date,
    version,
    pilotId,
  ])

test.group('The schedule', () => {
  test('counts versions by the default type and pilots by their turn', ({ assert }) => {
    assert.deepEqual(trains({}), [
      ['2026-11-02', '1.5.0', 'bob'],
      ['2026-11-09', '1.6.0', 'cy'],
      ['2026-11-16', '1.7.0', 'ann'],
      ['2026-11-23', '1.8.0', 'bob'],
      ['2026-11-30', '1.9.0', 'cy'],
    ])
    const versions = (defaultReleaseType: ScheduleFacts['defaultReleaseType']) =>
      trains({ defaultReleaseType }, '2026-11-10T00:00:00.000Z').map(([, version]) => version)
    assert.deepEqual(versions('major'), ['2.0.0', '3.0.0'])
    assert.deepEqual(versions('point'), ['1.4.3', '1.4.4'])
    assert.deepEqual(versions('standard'), ['1.5.0', '1.6.0'])
    assert.deepEqual(trains({ releases: [] }, '2026-11-03T00:00:00.000Z')[0][1], '1.0.0')
  })

  test('keeps its local times across a clock change', ({ assert }) => {
    const facts = { ...FACTS, undecidedFrom: '2027-03-22' }
    assert.deepEqual(
      shown(facts, '2027-04-01T00:00:00.000Z').map(({ kickoffAt, releaseAt }) => [
        kickoffAt,
        releaseAt,
      ]),
      [
        ['2027-03-22T09:00:00.000Z', '2027-03-29T07:00:00.000Z'],
        ['2027-03-29T08:00:00.000Z', '2027-04-05T07:00:00.000Z'],
      ]
    )
  })

  test('never puts a later phase before an earlier one whose time clocks skip', ({ assert }) => {
    const targets = {
      kickoff: { dayOffset: 0, time: '02:30' },
      submit: { dayOffset: 0, time: '03:00' },
      release: null,
    }
    const { kickoffAt, submitAt } = datesOf({ ...CADENCE, targets }, '2027-03-28')
    assert.equal(kickoffAt, '2027-03-28T01:30:00.000Z')
    assert.equal(submitAt, kickoffAt)
  })

  test('applies exceptions: skipped trains, moved trains and named pilots', ({ assert }) => {
    const none = { skipped: false, movedTo: null, pilotId: null }
    const cadence = {
      ...CADENCE,
      exceptions: [
        { ...none, date: '2026-11-09', skipped: true },
        { ...none, date: '2026-11-16', movedTo: '2026-11-18' },
        { ...none, date: '2026-11-23', pilotId: 'zoe' },
      ],
    }
    assert.deepEqual(trains({ cadence }), [
      ['2026-11-02', '1.5.0', 'bob'],
      ['2026-11-16', '1.6.0', 'cy'],
      ['2026-11-23', '1.7.0', 'zoe'],
      ['2026-11-30', '1.8.0', 'ann'],
    ])
    const moved = shown({ ...FACTS, cadence }, '2026-12-01T00:00:00.000Z')[1]
    assert.equal(moved.kickoffAt, '2026-11-18T09:00:00.000Z')
    const gone = trains({ cadence, known: (id) => id !== 'zoe' })
    assert.deepEqual(gone[2], ['2026-11-23', '1.7.0', 'ann'])
  })

  test('leaves out the train of a day with a release made by hand, and counts on', ({ assert }) => {
    const version = { major: 2, minor: 0, patch: 0 }
    const own = {
      ownKickoffs: new Set(['2026-11-16']),
      releases: [...FACTS.releases, { version, kickoffAt: '2026-11-16T08:00:00.000Z' }],
    }
    assert.deepEqual(trains(own), [
      ['2026-11-02', '1.5.0', 'bob'],
      ['2026-11-09', '1.6.0', 'cy'],
      ['2026-11-23', '2.1.0', 'ann'],
      ['2026-11-30', '2.2.0', 'bob'],
    ])
    const taken = { major: 1, minor: 6, patch: 0 }
    const ahead = {
      releases: [...FACTS.releases, { version: taken, kickoffAt: '2026-12-24T08:00:00.000Z' }],
    }
    assert.deepEqual(
      trains(ahead).map((train) => train[1]),
      ['1.5.0', '1.7.0', '1.8.0', '1.9.0', '1.10.0']
    )
  })

  test('shows the freezes of trains, or leaves these trains out', ({ assert }) => {
    const freezes = [
      {
        id: 'frz_1',
        startAt: '2026-11-12T00:00:00.000Z',
        endAt: '2026-11-13T00:00:00.000Z',
        phases: ['submit' as const],
      },
    ]
    const [, frozen] = predictedTrains({ ...FACTS, freezes }, '2026-11-10T00:00:00.000Z')
    assert.deepEqual(frozen.frozenBy, ['frz_1'])
    const cadence = { ...CADENCE, skipFrozenDates: true }
    assert.deepEqual(
      trains({ freezes, cadence }).map((train) => train[0]),
      ['2026-11-02', '2026-11-16', '2026-11-23', '2026-11-30']
    )
  })

  test('ends when the version cannot grow any more', ({ assert }) => {
    const releases = [{ version: { major: 999_999_998, minor: 0, patch: 0 }, kickoffAt: null }]
    assert.lengthOf(trains({ releases, defaultReleaseType: 'major' }), 1)
  })
})

test.group('The pilots', () => {
  test('lose their turn while away, unless all are away; an empty rotation has no pilot', ({
    assert,
  }) => {
    const away = [{ userId: 'bob', from: '2026-11-01', to: '2026-11-09' }]
    const rotation = { members: ['ann', 'bob', 'cy'], last: 'ann' }
    assert.equal(nextInRotation(rotation, '2026-11-09', away), 'cy')
    assert.equal(nextInRotation(rotation, '2026-11-10', away), 'bob')
    assert.equal(nextInRotation({ members: ['bob'], last: null }, '2026-11-02', away), 'bob')
    assert.isNull(nextInRotation({ members: [], last: null }, '2026-11-02', away))
  })

  test('who left the rotation are passed over, and the others go on in turn', ({ assert }) => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 6 }), (members) => {
        let rotation = { members, last: null as string | null }
        const turns = members.map(() => {
          const pilot = nextInRotation(rotation, '2026-11-02', [])
          rotation = afterTurn(rotation, pilot) as typeof rotation
          return pilot
        })
        assert.sameMembers(turns, members)
        assert.deepEqual(afterTurn(rotation, 'somebody who is none of them'), rotation)
      })
    )
  })
})

/** A service that keeps the facts, and drafts trains by them as time passes. */
class Drafting {
  readonly drafted: { date: string; version: string; pilotId: string | null; kickoffAt: string }[] =
    []

  constructor(
    public facts: ScheduleFacts,
    public now: string
  ) {}

  /** Returns the schedule from now on: drafted releases, then future trains. */
  show() {
    const drafted = this.drafted.map((each) => ({ ...each }))
    const until = later(this.now, 120 * DAY)
    const predicted = shown(this.facts, until).map(
      ({ submitAt: _, releaseAt: __, ...each }) => each
    )
    return [...drafted, ...predicted]
  }

  pass(days: number) {
    this.now = later(this.now, days * DAY)
    for (;;) {
      const decision = nextDecision(this.facts, this.now)
      if (decision.at > this.now) return
      const { date } = decision.slot
      const facts = { ...this.facts, undecidedFrom: daysAfter(date, 1) }
      if (decision.what === 'draft') {
        const { version, pilotId, dates } = decision.train
        const { kickoffAt } = dates
        this.drafted.push({ date, version: normalVersion(version), pilotId, kickoffAt })
        facts.releases = [...facts.releases, { version, kickoffAt }]
        facts.rotation = afterTurn(facts.rotation, pilotId)
      }
      this.facts = facts
    }
  }
}

const someday = fc.integer({ min: 0, max: 200 }).map((days) => daysAfter('2026-11-02', days))
const cadences = fc
  .record({
    intervalWeeks: fc.integer({ min: 1, max: 4 }),
    timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Pacific/Apia'),
    draftWeeksAhead: fc.integer({ min: 1, max: 12 }),
    skipFrozenDates: fc.boolean(),
    absences: fc.array(
      fc.record({ userId: fc.constantFrom('ann', 'bob', 'cy'), from: someday, to: someday }),
      { maxLength: 3 }
    ),
    chosen: fc.array(
      fc.record({
        slot: fc.integer({ min: 0, max: 20 }),
        kind: fc.constantFrom('skip', 'move', 'pilot'),
      }),
      { maxLength: 5 }
    ),
  })
  .map(({ chosen, ...changes }): Cadence => {
    const cadence = { ...CADENCE, ...changes }
    const exceptions = new Map(
      chosen.map(({ slot, kind }) => {
        const date = daysAfter(cadence.startDate, slot * 7 * cadence.intervalWeeks)
        const movedTo = kind === 'move' ? daysAfter(date, slot % 2 ? 2 : -3) : null
        return [
          date,
          { date, skipped: kind === 'skip', movedTo, pilotId: kind === 'pilot' ? 'zoe' : null },
        ]
      })
    )
    return { ...cadence, exceptions: [...exceptions.values()] }
  })
const facts = fc
  .record({
    cadence: cadences,
    defaultReleaseType: fc.constantFrom('standard', 'major', 'minor', 'point'),
    frozen: fc.array(fc.record({ from: someday, days: fc.integer({ min: 1, max: 20 }) }), {
      maxLength: 2,
    }),
    own: fc.array(someday, { maxLength: 2 }),
  })
  .map(({ own, frozen, ...changes }): ScheduleFacts => {
    const freezes = frozen.map(({ from, days }, index) => ({
      id: `frz_${index}`,
      startAt: `${from}T00:00:00.000Z`,
      endAt: `${daysAfter(from, days)}T00:00:00.000Z`,
      phases: ['kickoff' as const, 'release' as const],
    }))
    const releases = own.map((date, index) => ({
      version: { major: 1, minor: 7 + index * 4, patch: 0 },
      kickoffAt: `${date}T12:00:00.000Z`,
    }))
    const { timezone } = changes.cadence
    return {
      ...FACTS,
      ...changes,
      freezes,
      releases: [...FACTS.releases, ...releases],
      ownKickoffs: new Set(releases.map(({ kickoffAt }) => dateIn(timezone, kickoffAt))),
    }
  })

test.group('The schedule at two times', () => {
  test('agrees on every entry that both show if only time has passed', ({ assert }) => {
    fc.assert(
      fc.property(facts, fc.integer({ min: 0, max: 100 }), (given, days) => {
        const service = new Drafting(given, '2026-11-01T00:00:00.000Z')
        service.pass(0)
        const first = service.show()
        for (let day = 0; day < days; day++) service.pass(1)
        const second = new Map(service.show().map((entry) => [entry.date, entry]))
        for (const entry of first) assert.deepEqual(second.get(entry.date), entry)
      }),
      { numRuns: runs(60) }
    )
  })

  test('is drafted train by train, in order, each version once', ({ assert }) => {
    fc.assert(
      fc.property(facts, (given) => {
        const service = new Drafting(given, '2026-11-01T00:00:00.000Z')
        service.pass(100)
        const once = service.drafted.map(({ version }) => version)
        assert.lengthOf(new Set(once), once.length)
        const stepwise = new Drafting(given, '2026-11-01T00:00:00.000Z')
        for (let day = 0; day < 100; day++) stepwise.pass(1)
        // A late service leaves out what has passed, and drafts the same trains as a punctual one.
        const dates = stepwise.drafted.map(({ date }) => date)
        assert.includeMembers(
          dates,
          service.drafted.map(({ date }) => date)
        )
        assert.deepEqual(dates, dates.toSorted())
      }),
      { numRuns: runs(30) }
    )
  })

  test('has the same days as a walk day by day', ({ assert }) => {
    fc.assert(
      fc.property(cadences, someday, (cadence, from) => {
        const walked: string[] = []
        let sinceStart = 0
        for (let date = cadence.startDate; walked.length < 5; date = daysAfter(date, 1)) {
          if (sinceStart % (7 * cadence.intervalWeeks) === 0 && date >= from) walked.push(date)
          sinceStart += 1
        }
        let slot = firstSlot(cadence, from)
        const found = walked.map(() => {
          const here = slot
          slot = slotAfter(cadence, slot)
          return here
        })
        assert.deepEqual(found, walked)
        const [first] = slots({ ...FACTS, cadence, undecidedFrom: from })
        assert.equal(first.date, walked[0])
      }),
      { numRuns: runs(60) }
    )
  })

  test('has rising versions', ({ assert }) => {
    fc.assert(
      fc.property(facts, (given) => {
        const all = [...predictedTrains(given, '2027-06-01T00:00:00.000Z')]
        for (const [index, { version }] of all.slice(1).entries()) {
          assert.isAbove(compareVersions(version, all[index].version), 0)
        }
      }),
      { numRuns: runs(30) }
    )
  })
})
