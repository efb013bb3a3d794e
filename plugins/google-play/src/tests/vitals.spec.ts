import { test } from '@japa/runner'
import { dayAfter, dayOf, instantOf } from '../report_times.js'
import { faultsOf, stage } from './support/stage.js'

const HOUR_MS = 3_600_000

const scenario = (versions: [version: string, users: number, crashed: number][]) => ({
  crashMonitoring: {
    versions: versions.map(([version, sessions, crashedSessions]) => ({
      ...{ version, sessions, crashedSessions },
    })),
    issues: [],
  },
})

const windowOf = (from: string, to: string) => ({ version: '1.3.0', from, to })

test.group('Android vitals', () => {
  test('count users, not sessions, and say until when', async ({ assert }) => {
    const { fake, vitals } = await stage(scenario([['1.3.0', 2000, 30]]))
    const day = windowOf('2026-11-17T12:00:00.000Z', '2026-11-20T12:00:00.000Z')
    const health = await vitals.health(day)
    assert.deepEqual(health, {
      // Users of several days are not added up: some of them are the same.
      users: 2000,
      crashFreeUsers: 0.985,
      sampledAt: '2026-11-20T08:00:00.000Z',
    })
    assert.deepEqual(await faultsOf(fake), [])
  })

  test('are empty for days that are not counted yet', async ({ assert }) => {
    const { fake, vitals, callsOf } = await stage(scenario([['1.3.0', 2000, 30]]))
    fake.reports.lateDays = 2
    const fresh = windowOf('2026-11-19T12:00:00.000Z', '2026-11-20T12:00:00.000Z')
    const calls = await callsOf(async () => {
      assert.deepEqual(await vitals.health(fresh), { sampledAt: '2026-11-18T08:00:00.000Z' })
    })
    assert.isFalse(calls.some((each) => each.includes(':query')))
    const longer = windowOf('2026-11-16T12:00:00.000Z', '2026-11-20T12:00:00.000Z')
    assert.equal((await vitals.health(longer)).sampledAt, '2026-11-18T08:00:00.000Z')
  })

  test('cover the days before midnight if the window ends then', async ({ assert }) => {
    const { fake, vitals } = await stage(scenario([['1.3.0', 2000, 30]]))
    const queries: { timelineSpec?: { endTime?: { day?: number } } }[] = []
    const query = fake.reports.query.bind(fake.reports)
    fake.reports.query = (body) => {
      queries.push(body)
      return query(body)
    }
    await vitals.health(windowOf('2026-11-17T12:00:00.000Z', '2026-11-18T08:00:00.000Z'))
    assert.deepEqual(
      queries.map(({ timelineSpec }) => timelineSpec?.endTime?.day),
      [18]
    )
  })

  test('cover only the version, whatever the console calls its release', async ({ assert }) => {
    const { vitals } = await stage(
      scenario([
        ['1.3.0', 1000, 0],
        ['1.3.01', 500, 500],
      ])
    )
    const health = await vitals.health(
      windowOf('2026-11-18T12:00:00.000Z', '2026-11-20T12:00:00.000Z')
    )
    assert.include(health, { users: 1000, crashFreeUsers: 1 })
  })

  test('begin days by Pacific time, in summer and in winter', ({ assert }) => {
    const at = (text: string) => new Date(instantOf(dayOf(text))).toISOString()
    assert.equal(at('2026-07-15T06:59:00Z'), '2026-07-14T07:00:00.000Z')
    assert.equal(at('2026-07-15T07:00:00Z'), '2026-07-15T07:00:00.000Z')
    assert.equal(at('2026-12-15T07:59:00Z'), '2026-12-14T08:00:00.000Z')
    // The days on which the clocks change have 23 and 25 hours.
    const hours = (text: string) => {
      const day = dayOf(text)
      return (instantOf(dayAfter(day)) - instantOf(day)) / HOUR_MS
    }
    assert.deepEqual(
      ['2026-03-08T20:00:00Z', '2026-06-01T20:00:00Z', '2026-11-01T20:00:00Z'].map(hours),
      [23, 24, 25]
    )
  })
})
