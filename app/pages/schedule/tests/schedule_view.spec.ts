import { test } from '@japa/runner'
import { exampleCadence, exampleFreeze, exampleSchedule } from '#planning/examples'
import { policyFrom } from '#rollouts/policy/policy'
import { exampleReader } from '../../tests/example_reader.js'
import { weeksFrom, type ScheduleAnswers } from '../answers.js'
import { scheduleView } from '../view.js'

const ANSWERS: ScheduleAnswers = {
  app: { id: 'acme', name: 'Acme', platform: 'ios', appGroup: null, destinations: [] },
  ...weeksFrom(exampleReader.now, exampleReader.zone),
  ...{ entries: exampleSchedule, releaseTags: {}, freezes: [exampleFreeze] },
  ...{
    cadence: exampleCadence,
    tag: '"1"',
    rollouts: { policy: null, isApple: true, closed: [] },
    preview: null,
    typed: null,
  },
}

const view = (more: Partial<ScheduleAnswers> = {}) =>
  scheduleView({ ...ANSWERS, ...more }, { reader: exampleReader, refused: null })

test.group('The view of a schedule', () => {
  test('begins with the present week in the reader’s time zone, also when clocks change', ({
    assert,
  }) => {
    assert.deepEqual(weeksFrom('2026-11-19T13:20:00.000Z', 'Europe/Berlin'), {
      from: '2026-11-15T23:00:00.000Z',
      to: '2027-02-07T23:00:00.000Z',
    })
    assert.deepEqual(weeksFrom('2026-10-25T23:30:00.000Z', 'Europe/Berlin'), {
      from: '2026-10-25T23:00:00.000Z',
      to: '2027-01-17T23:00:00.000Z',
    })
    const summer = weeksFrom('2026-08-31T00:00:00.000Z', 'America/Los_Angeles')
    assert.equal(summer.from, '2026-08-24T07:00:00.000Z')
    assert.equal(summer.to, '2026-11-16T08:00:00.000Z')
  })

  test('lists planned and predicted trains, with freezes that conflict', ({ assert }) => {
    const { trains, chart, freezes } = view()
    assert.deepEqual(
      trains.map(({ version, status, href, conflict, pilot }) => [
        ...[version, status, href !== null, conflict, pilot?.isPredicted],
      ]),
      [
        [exampleSchedule[0].version, 'Active', true, null, false],
        ['4.5.0', 'Predicted', false, 'A date falls into Holidays', true],
      ]
    )
    assert.deepEqual(
      trains[1].dates.map(({ name, time }) => `${name} ${time.text}`),
      ['Kickoff Mon 14 Dec, 10:00', 'Submit Thu 17 Dec, 09:30', 'Release Tue 22 Dec, 10:00']
    )
    assert.include(chart.svg, 'frozen: Holidays Mon 21 Dec, 01:00 to 4 Jan 2027, 01:00')
    assert.equal(freezes[0].phases, 'Submissions and releases')
  })

  test('shows when rollouts grow, and draws the days on which they do not', ({ assert }) => {
    const policy = policyFrom({
      ...{
        timezone: 'Europe/Berlin',
        weekdays: [1, 2, 3],
        quietDays: ['2026-12-24', '2031-01-01'],
      },
      officeHours: { from: '09:00', to: '17:00' },
    })
    const day = { why: 'quietDay', name: null } as const
    const closed = [
      { ...day, from: '2026-11-19T23:00:00.000Z', to: '2026-11-22T23:00:00.000Z' },
      { ...day, why: 'officeHours' as const, from: exampleReader.now, to: '2026-11-20T08:00:00Z' },
    ]
    const rollouts = { policy, isApple: false, closed }
    const { quietText, chart } = view({ rollouts })
    assert.equal(
      quietText,
      'Rollouts grow on Mon, Tue and Wed from 09:00 to 17:00, except on quiet days (Berlin).'
    )
    assert.lengthOf(chart.svg.match(/class="freeze"/g)!, 1)
    assert.isNull(view().quietText)
    // The App Store has no office hours, and with several stores the text names its store.
    const destinations = [{ name: 'App Store' }, { name: 'Acme for Business' }]
    assert.equal(
      view({ rollouts: { ...rollouts, isApple: true }, app: { ...ANSWERS.app, destinations } })
        .quietText,
      'Rollouts in App Store grow on Mon, Tue and Wed, except on quiet days (Berlin).'
    )
  })

  test('says why there are no trains', ({ assert }) => {
    const empty = (more: object) =>
      view({ entries: [], cadence: { ...exampleCadence, ...more } }).empty
    assert.match(empty({ startDate: null }), /^No cadence is set/)
    assert.match(empty({ enabled: false }), /^The cadence is switched off/)
    assert.match(empty({ paused: true }), /^The cadence is paused/)
  })

  test('offers to undo exceptions only for trains that are not decided yet', ({ assert }) => {
    const skipped = (date: string) => ({ ...exampleCadence.exceptions[0], date })
    const exceptions = [skipped('2026-12-14'), skipped('2026-12-28')]
    const offered = (more: object) =>
      view({ cadence: { ...exampleCadence, exceptions, ...more } }).exceptions.map(
        ({ action }) => action !== null
      )
    assert.deepEqual(offered({}), [false, true])
    assert.deepEqual(offered({ undecidedFrom: '2026-12-14' }), [true, true])
    assert.deepEqual(offered({ undecidedFrom: null }), [false, false])
  })

  test('links a cadence that follows another app to that app', ({ assert }) => {
    const { fields, follows } = view({ cadence: { ...exampleCadence, followsAppId: 'acme-ios' } })
    assert.isNull(fields)
    assert.equal(follows!.href, '/dashboard/app/acme-ios/releaseSchedule')
  })
})
