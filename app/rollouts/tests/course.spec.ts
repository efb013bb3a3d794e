import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { refusal } from '#stores/tests/memory_store'
import { passMinutes, storeWorld, tidy, type StoreWorld } from '#stores/tests/support'
import { MAX_FINDINGS } from '../queries/guard_findings.js'
import { guarded, LADDER } from './guarded.js'
import { ago, began, rollingOut } from './support.js'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Returns the answer about the only store of a release. */
async function inStore({ admin, path }: StoreWorld) {
  const { status, body } = await admin.get(`${path}/rollout`)
  if (status !== 200 || body.stores.length !== 1) throw new Error(JSON.stringify(body))
  return body.stores[0]
}

const shares = (list: { percentage: number }[]) => list.map(({ percentage }) => percentage)
const hoursFromNow = (at: string) => (Date.parse(at) - Date.now()) / HOUR

test.group('The course of a rollout, GET …/rollout', (group) => {
  group.each.teardown(tidy)

  test('200 with empty lists before the takeoff', async ({ assert }) => {
    const { command, resume, pauseDaysLeft, reached, ladder, forecast, looks } = await inStore(
      await storeWorld('google')
    )
    assert.deepEqual(
      { command, resume, pauseDaysLeft, reached, ladder, forecast, looks },
      {
        ...{ command: null, resume: null, pauseDaysLeft: null, reached: [], ladder: [] },
        forecast: { moves: [], completeAt: null, closed: [] },
        looks: [],
      }
    )
  })

  test('200 with past and expected shares, and the reasons for their times', async ({ assert }) => {
    const given = await rollingOut('google')
    const { admin, appId, store, work } = given
    const byPeople = await inStore(given)
    assert.deepEqual([byPeople.forecast.moves, byPeople.ladder], [[], []])
    await admin.put(`/app/${appId}/rolloutPolicy`, { policy: { ladder: LADDER } })
    await began(appId, 4)
    await work()
    const climbing = await inStore(given)
    assert.containsSubset(climbing.reached, [{ state: 'active', percentage: 10 }])
    const { moves, completeAt } = climbing.forecast
    assert.deepEqual(shares(moves), [50, 100])
    assert.closeTo(hoursFromNow(moves[0].at), 20, 1)
    assert.equal(Date.parse(moves[1].at) - Date.parse(moves[0].at), DAY)
    assert.equal(completeAt, moves[1].at)
    assert.equal(climbing.next[0].at, moves[0].at)
    assert.deepEqual(
      climbing.ladder.map(({ percentage, reachedAt, expectedAt }: any) => [
        percentage,
        reachedAt !== null,
        expectedAt,
      ]),
      [
        [10, true, null],
        [50, false, moves[0].at],
        [100, false, moves[1].at],
      ]
    )
    store.rollout({ state: 'active', fraction: 0.5 })
    await work()
    store.rollout({ state: 'halted', fraction: 0.5 })
    await work()
    const { reached, resume, forecast } = await inStore(given)
    assert.deepEqual(
      reached.map(({ state, percentage }: any) => [state, percentage]),
      [
        ['active', 10],
        ['active', 50],
        ['halted', 50],
      ]
    )
    assert.deepEqual(resume, { action: 'resume', percentage: 50 })
    assert.deepEqual([forecast.moves, forecast.completeAt], [[], null])
  })

  test('200 with a forecast that quiet days and freezes move, which it lists', async ({
    assert,
  }) => {
    const given = await rollingOut('google')
    const { admin, appId, work } = given
    const quiet = [1, 2].map((days) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10))
    await admin.put(`/app/${appId}/rolloutPolicy`, {
      policy: { ladder: LADDER, quietDays: quiet },
    })
    const [startAt, endAt] = [`${quiet[1]}T12:00:00.000Z`, new Date(Date.parse(quiet[1]) + 3 * DAY)]
    await admin.put(`/app/${appId}/lifecycleFreezes`, {
      freezes: [{ name: 'Holidays', startAt, endAt: endAt.toISOString(), phases: ['release'] }],
    })
    await work()
    const { moves, closed } = (await inStore(given)).forecast
    assert.deepEqual(
      [moves[0].percentage, moves[0].at, moves[0].because],
      [50, endAt.toISOString(), 'quietDay']
    )
    assert.containsSubset(closed, [
      {
        from: `${quiet[0]}T00:00:00.000Z`,
        to: new Date(Date.parse(quiet[1]) + DAY).toISOString(),
        ...{ why: 'quietDay', name: null },
      },
      { from: startAt, to: endAt.toISOString(), why: 'freeze', name: 'Holidays' },
    ])
  })

  test('200 with the pending call: its attempts, and the time of the next one', async ({
    assert,
  }) => {
    const given = await rollingOut('google')
    const { admin, path, store, work } = given
    store.failures.push(refusal('unavailable', 'The store is away'))
    await admin.put(`${path}/redButton`, { reason: 'It crashes' })
    const decided = (await inStore(given)).command
    assert.containsSubset(decided, { what: 'halt', isUrgent: true, tries: 0, askedAt: null })
    await work()
    const { command } = await inStore(given)
    assert.containsSubset(command, { what: 'halt', tries: 1, decidedAt: decided.decidedAt })
    assert.isAbove(Date.parse(command.retryAt), Date.parse(command.askedAt))
    await work()
    const stopped = await inStore(given)
    assert.isNull(stopped.command)
    assert.deepEqual(stopped.resume, { action: 'resume', percentage: 10 })
  })

  test('200 with the days of a phased release, and the remaining pause days', async ({
    assert,
  }) => {
    const given = await rollingOut('apple')
    const { admin, path, store, work } = given
    const startedAt = ago(30)
    store.rollout({ state: 'active', day: 2, startedAt, pausedDays: 0 })
    await work()
    const { forecast, next, pauseDaysLeft, ladder } = await inStore(given)
    assert.deepEqual(shares(forecast.moves), [5, 10, 20, 50, 100])
    const at = (list: { at: string }[]) => list.map((each) => each.at)
    assert.deepEqual(at(forecast.moves), at(next))
    assert.equal(pauseDaysLeft, 30)
    assert.deepEqual(shares(ladder), [1, 2, 5, 10, 20, 50, 100])
    store.rollout({ state: 'active', day: 2, startedAt, pausedDays: 3 })
    await work()
    const later = await inStore(given)
    assert.equal(later.pauseDaysLeft, 27)
    assert.equal(Date.parse(later.forecast.moves[0].at), Date.parse(forecast.moves[0].at) + 3 * DAY)
    await admin.put(`${path}/rollout`, { action: 'pause' })
    for (let turn = 0; turn < 2; turn++) await work()
    const paused = await inStore(given)
    assert.deepEqual([paused.forecast.moves, paused.resume?.percentage], [[], 2])
  })

  test('200 with the findings of the guard, check by check, up to a limit', async ({ assert }) => {
    const given = await guarded('google')
    const { world, turns, crash, appId } = given
    await turns(1)
    passMinutes(120)
    await turns(1)
    crash()
    passMinutes(120)
    await turns(2)
    const { looks, health } = await inStore(given)
    const [{ metric, looks: own }] = looks
    assert.deepEqual([looks.length, metric], [1, 'crashFreeSessions'])
    assert.isAtLeast(own.length, 3)
    const [last, now] = [own.at(-1), health[0]]
    assert.deepEqual(
      [last.verdict, last.value, last.previousValue, last.threshold, last.sample],
      [now.verdict, now.value, now.previousValue, now.threshold.value, now.sample]
    )
    assert.equal(own[0].percentage, 10)
    const [row] = await db.from('rollout_looks').where('organization_id', world.organizationId)
    const many = Array.from({ length: 1000 }, (_, index) => ({
      ...row,
      at: new Date(Date.parse('2026-01-01') + index * HOUR).toISOString(),
    }))
    await db.from('rollout_looks').where('organization_id', world.organizationId).delete()
    for (let from = 0; from < many.length; from += 50) {
      await db.table('rollout_looks').multiInsert(many.slice(from, from + 50))
    }
    const [{ looks: thinned }] = (await inStore(given)).looks
    assert.isAtMost(thinned.length, MAX_FINDINGS)
    assert.isAbove(thinned.length, MAX_FINDINGS / 2)
    assert.deepEqual([thinned[0].at, thinned.at(-1).at], [many[0].at, many.at(-1)!.at])
    await db.from('releases').where('app_id', appId).delete()
    const left = await db.from('rollout_looks').where('organization_id', world.organizationId)
    assert.isEmpty(left)
  })
})
