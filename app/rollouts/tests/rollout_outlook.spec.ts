import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { tidy } from '#stores/tests/support'
import { makeApp } from '#tests/support/app_fixture'
import { makeWorld } from '#tests/support/world'
import { CRASHES, guarded, LADDER } from './guarded.js'

const pathOf = (appId: string) => `/app/${appId}/rolloutPolicy/outlook`

test.group('GET /app/{appId}/rolloutPolicy/outlook', (group) => {
  group.each.teardown(tidy)

  test('200 shows the known facts about an app for its stored policy', async ({ assert }) => {
    const { admin, appId } = await guarded('google', { harmBudget: undefined })
    const { status, body } = await admin.get(pathOf(appId))
    assert.equal(status, 200)
    assert.deepEqual(body.policy.ladder, LADDER)
    assert.deepEqual(
      body.rungs.map(({ percentage }: { percentage: number }) => percentage),
      [10, 50, 100]
    )
    const [metric] = body.metrics
    assert.containsSubset(metric, { name: CRASHES.name, unit: 'sessions' })
    assert.isAtLeast(metric.knownDays, 7)
    assert.deepEqual(metric.daily, { of: 480_000, bad: 960 })
    assert.equal(metric.harmedAtMost, 2400)
    assert.isAbove(metric.rungs[0].stopsAt, metric.rungs[0].counted.bad)
  })

  test('200 is empty where people drive rollouts', async ({ assert }) => {
    const world = await makeWorld()
    const appId = await makeApp(world)
    const { status, body } = await world.admin.get(pathOf(appId))
    assert.equal(status, 200)
    assert.deepEqual(body, {
      policy: null,
      isApple: true,
      startsAt: null,
      rungs: [],
      closed: [],
      metrics: [],
    })
  })

  test('404 for an unknown app or destination', async ({ assert }) => {
    const { admin, appId } = await guarded()
    assert.equal((await admin.get(pathOf('nothing'))).status, 404)
    assert.equal((await admin.get(`${pathOf(appId)}?destinationId=nothing`)).status, 404)
  })

  test('200 shows when nothing grows in the requested time; 400 for an invalid one', async ({
    assert,
  }) => {
    const { admin, appId } = await guarded()
    const { body: stored } = await admin.get(`/app/${appId}/rolloutPolicy`)
    const policy = { ...stored.policy, timezone: 'Europe/Berlin', weekdays: [1, 2, 3, 4, 5] }
    await admin.put(`/app/${appId}/rolloutPolicy`, { policy })
    const during = 'from=2031-03-24T00:00:00Z&to=2031-04-07T00:00:00Z'
    const { body } = await admin.get(`${pathOf(appId)}?${during}`)
    // The clocks change in a night of the first weekend.
    const quiet = { why: 'quietDay', name: null }
    assert.deepEqual(body.closed, [
      { ...quiet, from: '2031-03-28T23:00:00.000Z', to: '2031-03-30T22:00:00.000Z' },
      { ...quiet, from: '2031-04-04T22:00:00.000Z', to: '2031-04-06T22:00:00.000Z' },
    ])
    assert.equal((await admin.get(`${pathOf(appId)}?from=soon`)).status, 400)
  })
})

test.group('POST /app/{appId}/rolloutPolicy/outlook', (group) => {
  group.each.teardown(tidy)

  test('200 shows the outlook for a given policy, and does not store it', async ({ assert }) => {
    const { admin, appId, world } = await guarded()
    const policyPath = `/app/${appId}/rolloutPolicy`
    const { body: before } = await admin.get(policyPath)
    const count = (await world.events()).length
    const ladder = [{ percentage: 10, hours: 240 }, ...LADDER.slice(1)]
    const policy = { ladder, guard: { metrics: [CRASHES] } }
    const { status, body } = await admin.post(pathOf(appId), { policy })
    assert.equal(status, 200)
    assert.equal(body.rungs[0].hours, 240)
    assert.equal(
      Date.parse(body.rungs[1].expectedAt) - Date.parse(body.rungs[0].expectedAt),
      240 * 3_600_000
    )
    assert.deepEqual((await admin.get(policyPath)).body, before)
    assert.equal((await world.events()).length, count)
    const { body: none } = await admin.post(pathOf(appId), { policy: null })
    assert.deepEqual(none.rungs, [])
  })

  test('403 without the right to set a policy', async ({ assert }) => {
    const world = await makeWorld()
    const appId = await makeApp(world)
    await db
      .from('organizations')
      .where('id', world.organizationId)
      .update({ role_based_access_enabled: true })
    const key = await world.keyed({ name: 'Reader' })
    const { status, body } = await key.post(pathOf(appId), { policy: null })
    assert.deepEqual([status, body.code], [403, 'action_missing'])
  })

  test('404 for an unknown app, 422 with each fault', async ({ assert }) => {
    const world = await makeWorld()
    const appId = await makeApp(world, { platform: 'android' })
    assert.equal((await world.admin.post(pathOf('nothing'), { policy: null })).status, 404)
    const policy = { ladder: [{ percentage: 50, hours: 1 }], timezone: 'Moon/Crater' }
    const { status, body } = await world.admin.post(pathOf(appId), { policy })
    assert.equal(status, 422)
    assert.sameMembers(
      body.errors.map(({ pointer }: { pointer: string }) => pointer),
      ['/policy/ladder', '/policy/timezone']
    )
  })
})
