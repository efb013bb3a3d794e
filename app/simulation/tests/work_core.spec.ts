import { test } from '@japa/runner'
import fc from 'fast-check'
import { HOUR } from '#foundation/core/durations'
import { flagsIn, turn, USUAL_FLAGS, type SimulatedFlags } from '#simulated-providers/flags'
import { onCallAt, USUAL_ON_CALL } from '#simulated-providers/on_call'
import { resultsAt, testRunsAt, USUAL_TESTS } from '#simulated-providers/test_runs'
import { createTicket, storeTicket, ticketsOf, USUAL_TRACKER } from '#simulated-providers/tracker'
import { progressOf, USUAL_TRANSLATIONS } from '#simulated-providers/translations'
import { BEGIN, DAY } from './support/played_world.js'

const VERSIONS = [{ version: '4.2.0', at: BEGIN }]

test.group('The simulated work of a team', () => {
  test('one person is on call at any time, a week each, in turns', ({ assert }) => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: -500, max: 500 }), (seed, day) => {
        const at = BEGIN + day * DAY
        const on = (when: number) =>
          onCallAt(USUAL_ON_CALL, { seed, scheduleId: 'releases', at: when })
        const [now, ...more] = on(at)
        assert.isEmpty(more)
        assert.isTrue(now.from <= at && at < now.until)
        assert.equal(now.until - now.from, 7 * DAY)
        assert.equal(new Date(now.from).getUTCDay(), 1)
        const three = [on(at), on(now.until), on(now.until + 7 * DAY)].map(([each]) => each.name)
        assert.lengthOf(new Set(three), USUAL_ON_CALL.people.length)
        assert.equal(on(now.until + 14 * DAY)[0].name, now.name)
      })
    )
  })

  test('a version is tested over some hours; results of tests stay', ({ assert }) => {
    const at = (hours: number) => ({ seed: 's', now: BEGIN + hours * HOUR, versions: VERSIONS })
    const states = (hours: number) =>
      resultsAt(USUAL_TESTS, at(hours), '4.2.0-1').map(({ status }) => status)
    assert.isTrue(states(0).every((status) => status === 'untested'))
    const open = states(3).filter((status) => status === 'untested').length
    assert.equal(open, 10)
    assert.notInclude(states(6), 'untested')
    assert.deepEqual(
      states(3).filter((each) => each !== 'untested'),
      states(6).slice(0, 10)
    )
    const runs = (hours: number) => testRunsAt(USUAL_TESTS, at(hours))
    assert.deepEqual(
      runs(1).map(({ name, closed }) => [name, closed]),
      [
        ['Regression 4.2.0 iOS', false],
        ['Regression 4.2.0 Android', false],
      ]
    )
    assert.isTrue(runs(8).every(({ closed }) => closed))
    const failing = { ...USUAL_TESTS, perRun: 1000, failed: 0.3, blocked: 0.2, retestMs: null }
    const all = resultsAt(failing, at(10), '4.2.0-1')
    const share = (status: string) => all.filter((each) => each.status === status).length / 1000
    assert.closeTo(share('failed'), 0.3, 0.06)
    assert.closeTo(share('blocked'), 0.2, 0.06)
  })

  test('new texts of a version are translated within days, and progress never falls', ({
    assert,
  }) => {
    const locales = (now: number, seed = 's') =>
      progressOf(USUAL_TRANSLATIONS, VERSIONS, { seed, now })
    fc.assert(
      fc.property(fc.string(), fc.nat(200), fc.nat(100), (seed, hours, more) => {
        const at = (when: number) => locales(BEGIN + when * HOUR, seed)
        for (const [index, before] of at(hours).entries()) {
          const after = at(hours + more)[index]
          assert.isAtLeast(after.translated, before.translated)
          assert.isAtMost(after.translated, after.total)
          assert.isAtMost(after.reviewed, after.translated)
        }
      })
    )
    const [english, german] = locales(BEGIN)
    assert.deepEqual([english.translated, english.total], [132, 132])
    assert.deepEqual([german.translated, german.total], [120, 132])
    assert.isTrue(locales(BEGIN + 5 * DAY).every((each) => each.translated === each.total))
  })

  test('flags are separate for each environment, and a flag changed meanwhile is not overwritten', ({
    assert,
  }) => {
    const of = { environment: 'production', key: 'new-checkout' }
    const on = turn(USUAL_FLAGS, of, { enabled: true, etag: '0' }) as SimulatedFlags
    const state = (flags: SimulatedFlags, environment: string) =>
      flagsIn(flags, environment).find(({ key }) => key === of.key)
    assert.containsSubset(state(on, 'production'), { enabled: true, etag: '1' })
    assert.containsSubset(state(on, 'staging'), { enabled: false, etag: '0' })
    assert.equal(turn(on, of, { enabled: false, etag: '0' }), 'flagChanged')
    assert.equal(turn(on, { ...of, key: 'no' }, { enabled: true, etag: null }), 'flagUnknown')
    assert.lengthOf(flagsIn(on, 'production'), USUAL_FLAGS.known.length)
  })

  test('tickets of a version are worked on until they are done; changed ones stay as they are', ({
    assert,
  }) => {
    const order = ['To do', 'In progress', 'Done']
    const at = (hours: number, tracker = USUAL_TRACKER) =>
      ticketsOf(tracker, { seed: 's', now: BEGIN + hours * HOUR, project: 'APP' }, VERSIONS)
    fc.assert(
      fc.property(fc.nat(120), fc.nat(60), (hours, more) => {
        for (const [index, before] of at(hours).entries()) {
          const after = at(hours + more)[index]
          assert.equal(after.key, before.key)
          assert.isAtLeast(order.indexOf(after.status), order.indexOf(before.status))
        }
      })
    )
    assert.isTrue(at(100).every(({ status }) => status === 'Done'))
    assert.isTrue(at(100).every(({ versions }) => versions[0] === '4.2.0'))
    const [first] = at(0)
    const kept = storeTicket(USUAL_TRACKER, { ...first, versions: ['4.2.0', '4.2.1'] })
    const all = at(100, kept)
    assert.lengthOf(all, USUAL_TRACKER.perVersion)
    assert.containsSubset(all[0], { key: first.key, versions: ['4.2.0', '4.2.1'] })
    const input = { project: 'APP', title: 'It crashes', labels: [], idempotencyKey: 'k' }
    const made = createTicket(USUAL_TRACKER, input)
    assert.deepEqual(createTicket(made.tracker, input), made)
    assert.lengthOf(at(0, made.tracker), USUAL_TRACKER.perVersion + 1)
  })
})
