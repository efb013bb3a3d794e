import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { earlier, later, SystemClock, VirtualClock } from '#foundation/core/clock'
import { makeApp } from '#tests/support/app_fixture'
import { installIntegration } from '#tests/support/custom_integrations'
import { yieldsOf } from '#tests/support/yields'
import { makeWorld } from '#tests/support/world'
import { DAY, MINUTE } from '#foundation/core/durations'
import { TakeEvents } from '../actions/take_events.js'
import { readSeries, type SeriesWindow } from '../queries/read_series.js'
import { KEPT_FOR, Retention } from '../retention.js'
import { MAX_SERIES } from '../series_keeper.js'

const now = () => new SystemClock().now()
const EVENT = { name: 'crashes', value: 1, version: '1.4.0' }

async function makeObserved(
  selectedEventsAndParams: { eventName: string; paramName?: string }[] = []
) {
  const world = await makeWorld()
  const app = await makeApp(world)
  const data = { selectedEventsAndParams }
  const id = await installIntegration(world, app, 'generic-analytics', data)
  const path = `/app/${app}/integration/${id}/events`
  const read = (window: Partial<SeriesWindow> = {}) =>
    world.write((scope) =>
      readSeries(scope, {
        appId: app,
        name: 'crashes',
        version: '1.4.0',
        from: earlier(scope.now, 31 * DAY),
        to: later(scope.now, DAY),
        ...window,
      })
    )
  const post = (body: unknown) => world.admin.post(path, body as object)
  return { world, app, id, path, post, read }
}

test.group('POST /app/{appId}/integration/{integrationInstallationId}/events', () => {
  test('many are taken in with others served in between', async ({ assert }) => {
    const { world, app, id } = await makeObserved()
    const start = Math.floor(Date.parse(now()) / DAY) * DAY
    const events = Array.from({ length: 30 }, (_, index) => ({
      ...EVENT,
      timestamp: new Date(start - index * DAY).toISOString(),
    }))
    const turns = await world.write((scope) =>
      yieldsOf(() => new TakeEvents(scope).handle({ appId: app, installationId: id }, events))
    )
    // Each event, and each point of its series.
    assert.isAtLeast(turns, 2 * events.length)
  })

  test('202 one event, or a list; they become series of five minutes', async ({ assert }) => {
    const { post, read, world, app } = await makeObserved()
    const response = await post(EVENT)
    assert.equal(response.status, 202)
    assert.deepEqual(response.body, { accepted: 1, rejected: 0, errors: [] })
    const [{ lastSyncedAt }] = (await world.admin.get(`/app/${app}/integrations`)).body
    assert.isString(lastSyncedAt)
    const start = new Date(Math.floor(Date.parse(now()) / DAY) * DAY - 10 * DAY).toISOString()
    const times = [0, 4.9, 5, 12].map((minutes) => later(start, minutes * MINUTE))
    const events = times.map((timestamp, index) => ({ ...EVENT, value: index - 1, timestamp }))
    assert.equal((await post(events)).body.accepted, 4)
    const points = await read({ to: later(start, DAY) })
    assert.deepEqual(points, [
      { at: start, count: 2, sum: -1, least: -1, greatest: 0 },
      { at: later(start, 5 * MINUTE), count: 1, sum: 1, least: 1, greatest: 1 },
      { at: later(start, 10 * MINUTE), count: 1, sum: 2, least: 2, greatest: 2 },
    ])
    const some = await read({ from: times[2], to: times[3] })
    assert.deepEqual(
      some.map(({ sum }) => sum),
      [1, 2]
    )
  })

  test('series are apart by version, build and environment, and read together', async ({
    assert,
  }) => {
    const { post, read } = await makeObserved()
    await post([
      { ...EVENT, value: 1.5, buildNumber: '7' },
      { ...EVENT, value: 2.5, buildNumber: '8', version: '1.4' },
      { ...EVENT, value: 4, buildNumber: '8', environment: 'beta' },
      { ...EVENT, value: 8, version: '2.0.0' },
    ])
    const sums = async (window: Partial<SeriesWindow>) =>
      (await read(window)).reduce((sum, point) => sum + point.sum, 0)
    assert.equal(await sums({}), 8)
    assert.equal(await sums({ buildNumber: '8' }), 6.5)
    assert.equal(await sums({ environment: 'production' }), 4)
    assert.equal(await sums({ version: '2.0.0' }), 8)
    assert.equal(await sums({ name: 'hangs' }), 0)
  })

  test('properties that the integration selects are series of their own', async ({ assert }) => {
    const { post, read } = await makeObserved([
      { eventName: 'crashes', paramName: 'users' },
      { eventName: 'hangs', paramName: 'seconds' },
    ])
    const properties = { users: 12, seconds: 3, country: 'NO', again: true }
    await post({ ...EVENT, properties })
    const [users] = await read({ param: 'users' })
    assert.deepEqual([users.count, users.sum], [1, 12])
    assert.isEmpty(await read({ param: 'seconds' }))
  })

  test('202 errors of some members of a list are reported for them alone', async ({ assert }) => {
    const { post, read } = await makeObserved()
    const { status, body } = await post([
      { ...EVENT, unit: 'count' },
      { ...EVENT, version: 'next' },
      { ...EVENT, value: '1' },
      { ...EVENT, timestamp: later(now(), 2 * 60 * MINUTE) },
      { ...EVENT, timestamp: earlier(now(), 31 * DAY) },
      { ...EVENT, unit: 'ms' },
      { ...EVENT, environment: 'moon' },
      { ...EVENT, properties: { deep: {} } },
      'an event',
      EVENT,
    ])
    assert.equal(status, 202)
    assert.deepEqual([body.accepted, body.rejected], [2, 8])
    assert.deepEqual(
      body.errors.map(({ index, code }: any) => [index, code]),
      [
        [1, 'version'],
        [2, 'number'],
        [3, 'in_the_future'],
        [4, 'too_late'],
        [5, 'other_unit'],
        [6, 'enum'],
        [7, 'property'],
        [8, 'object'],
      ]
    )
    assert.equal((await read())[0].count, 2)
  })

  test('422 when none is taken, with its place where it is one event', async ({ assert }) => {
    const { world, post } = await makeObserved()
    const all = await post([{ ...EVENT, version: 'x' }, {}])
    assert.deepEqual(
      [all.status, all.body.code, all.body.accepted, all.body.rejected],
      [422, 'all_items_failed', 0, 2]
    )
    for (const [body, pointer] of [
      [{ ...EVENT, version: 'x' }, '/version'],
      [{ ...EVENT, value: null }, '/value'],
      [{ name: 'crashes' }, '/value'],
      [[], ''],
      [Array.from({ length: 501 }, () => EVENT), ''],
      [['\u0000'], '/0'],
    ] as const) {
      const { status, body: problem } = await post(body)
      assert.deepEqual([status, problem.code], [422, 'invalid_input'])
      assert.include(
        problem.errors.map((each: any) => each.pointer),
        pointer
      )
    }
    const rows = db.from('metric_series').where('organization_id', world.organizationId)
    assert.isEmpty(await rows)
  })

  test('409 for another integration, 404 for none of the app, 403 without the action', async ({
    assert,
  }) => {
    const { world, app, path } = await makeObserved()
    const ci = await installIntegration(world, app, 'generic-ci')
    const { status, body } = await world.admin.post(`/app/${app}/integration/${ci}/events`, EVENT)
    assert.deepEqual([status, body.code], [409, 'conflict'])
    const other = await makeApp(world)
    assert.equal((await world.admin.post(path.replace(app, other), EVENT)).status, 404)
    const marketing = await world.keyed({ groups: ['Marketing'] })
    assert.equal((await marketing.post(path, EVENT)).status, 403)
  })

  test('repeated with its Idempotency-Key it counts once', async ({ assert }) => {
    const { world, path, read } = await makeObserved()
    const headers = { 'idempotency-key': 'minute-7' }
    for (let each = 0; each < 2; each++) {
      assert.equal((await world.admin.send('POST', path, { json: [EVENT], headers })).status, 202)
    }
    assert.equal((await read())[0].count, 1)
  })

  test('an integration has only so many series', async ({ assert }) => {
    const { world, app, id, post } = await makeObserved()
    await post(EVENT)
    const row = await db.from('metric_series').where('installation_id', id).firstOrFail()
    const rows = Array.from({ length: MAX_SERIES - 1 }, (_, index) => ({
      ...row,
      id: `series_${app}_${index}`.slice(-64),
      name: `n${index}`,
    }))
    for (let at = 0; at < rows.length; at += 50) {
      await db.table('metric_series').multiInsert(rows.slice(at, at + 50))
    }
    const { status, body } = await post([EVENT, { ...EVENT, name: 'one more' }])
    assert.deepEqual([status, body.accepted, body.errors[0].code], [202, 1, 'conflict'])
    const count = await db
      .from('metric_series')
      .where('organization_id', world.organizationId)
      .count('* as total')
    assert.equal(Number(count[0].total), MAX_SERIES)
  })

  test('points go after 90 days, and series that hold none', async ({ assert }) => {
    const { post, read, id } = await makeObserved()
    await post([EVENT, { ...EVENT, timestamp: earlier(now(), 20 * DAY) }])
    const clock = new VirtualClock(now())
    const retention = new Retention(db as never, clock)
    await retention.run()
    assert.lengthOf(await read(), 2)
    clock.advance(KEPT_FOR - 10 * DAY)
    await retention.run()
    assert.lengthOf(await read(), 1)
    clock.advance(20 * DAY)
    await retention.run()
    assert.isEmpty(await db.from('metric_series').where('installation_id', id))
  })
})
