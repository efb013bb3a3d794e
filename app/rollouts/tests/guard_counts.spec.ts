import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { passMinutes, tidy, type StoreWorld } from '#stores/tests/support'
import { CRASHES, guarded, LADDER } from './guarded.js'
import { monitored } from './monitor.js'
import { ago, asked, began, quietFor, rollingOut } from './support.js'

const USERS = { name: 'crashFreeUsers', source: 'crashMonitoring', measure: 'crashFreeUsers' }

const setPolicy = ({ admin, appId }: StoreWorld, metrics: object[], guard: object = {}) =>
  admin.put(`/app/${appId}/rolloutPolicy`, {
    policy: { ladder: LADDER, guard: { metrics, ...guard } },
  })

/** A ladder whose first rung outlasts every test. */
const SLOW = [
  { percentage: 10, hours: 500 },
  { percentage: 100, hours: 0 },
]

const setSlow = ({ admin, appId }: StoreWorld, metrics: object[]) =>
  admin.put(`/app/${appId}/rolloutPolicy`, { policy: { ladder: SLOW, guard: { metrics } } })

/** Returns the stored next move of the rollout. */
const waitsFor = async ({ appId }: StoreWorld): Promise<string> =>
  (await db.from('rollouts').where('app_id', appId).firstOrFail()).next ?? ''

const held = async ({ admin, path }: StoreWorld): Promise<string[]> =>
  (await admin.get(`${path}/timelineEvents?type=rollout.held`)).body.data.map(
    ({ data }: { data: { reason: string } }) => data.reason
  )

const health = async ({ run }: StoreWorld) => (await run('rollout')).data.health[0]

/** Stores counts of an earlier rollout of the app, as known traffic. */
async function countedIn(
  { appId, world, target }: StoreWorld,
  integrationId: string | null,
  daily: number
) {
  const own = await db.from('releases').where({ app_id: appId, version: '1.3.0' }).first()
  const days = Array.from({ length: 7 }, () => ({ of: daily, bad: daily / 200, share: 1 }))
  const sample = { metric: 'x', meaning: 'crashMonitoring crashFreeSessions', before: '1.2.0' }
  await db.table('rollouts').insert({
    id: `${appId}-${daily}`,
    organization_id: world.organizationId,
    app_id: appId,
    release_id: own.id,
    integration_id: integrationId ?? (await target()).integrationId,
    started_at: ago(1),
    ended_at: ago(1),
    judgements: '[]',
    stages: JSON.stringify([{ percentage: 100, at: ago(300) }]),
    samples: JSON.stringify([{ ...sample, stageAt: ago(300), share: 1, current: days[0], days }]),
  })
}

/** Adds version 1.3.0, which reached users some hours ago. */
async function released({ admin, appId }: StoreWorld, hours: number) {
  await admin.post(`/app/${appId}/release`, { version: '1.3.0' })
  await db
    .from('releases')
    .where({ app_id: appId, version: '1.3.0' })
    .update({ released_at: ago(hours) })
}

test.group('The counts of a guard', (group) => {
  group.each.teardown(tidy)

  test('users are counted per day, and past days are requested once', async ({ assert }) => {
    const given = await guarded()
    const { monitor, turns, appId } = given
    monitor.versions.set('1.4.0', { sessions: 40_000, crashed: 80 })
    await setSlow(given, [USERS])
    await began(appId, 75)
    await turns(4)
    const { sample, designEffect } = await health(given)
    // Three whole days and three hours.
    assert.equal(sample.total, 4 * 40_000)
    assert.closeTo(designEffect.value, 1 + (75 / 24 - 1) / 6, 0.01)
    monitor.asked.length = 0
    passMinutes(40)
    await turns(1)
    const whole = monitor.asked.filter(
      ({ version, from, to }) =>
        version === '1.4.0' && Date.parse(to) - Date.parse(from) === 24 * 3_600_000
    )
    // The last day is requested again, because late data may still arrive.
    assert.lengthOf(whole, 1)
  })

  test('returning users are no silence, even without new ones; hours without any are', async ({
    assert,
  }) => {
    const given = await guarded()
    const { monitor, turns, appId } = given
    monitor.versions.set('1.4.0', { sessions: 40_000, crashed: 80 })
    await setSlow(given, [USERS])
    await began(appId, 10)
    await turns(2)
    for (let hour = 0; hour < 7; hour++) {
      passMinutes(60)
      await turns(1)
    }
    assert.notInclude(await waitsFor(given), 'no data arrives')
    monitor.sessionsOf = ({ version, from }) => {
      const isLate = Date.parse(from) > Date.now() - 7 * 3_600_000
      return version === '1.4.0' && isLate ? 0 : 40_000
    }
    passMinutes(60)
    await turns(3)
    assert.include(await waitsFor(given), 'no data arrives')
  })

  test('returning users of a first version are no silence either', async ({ assert }) => {
    const given = await rollingOut('apple')
    const monitor = await monitored(given)
    monitor.versions.set('1.4.0', { sessions: 40_000, crashed: 80 })
    await setPolicy(given, [USERS])
    for (let hour = 0; hour < 8; hour++) {
      passMinutes(60)
      await given.work()
    }
    // Silence would have paused it.
    assert.isEmpty(asked(given))
    assert.notInclude(await held(given), 'silent')
  })

  test('counts are dropped when the meaning of a metric changes', async ({ assert }) => {
    const given = await guarded()
    const { monitor, turns, crash } = given
    monitor.versions.set('1.4.0', { sessions: 50_000, crashed: 90 })
    passMinutes(40)
    await turns(2)
    assert.equal((await health(given)).sample.total, 50_000)
    monitor.isDown = true
    crash()
    const { status } = await setPolicy(given, [{ ...CRASHES, measure: 'crashes' }])
    assert.equal(status, 200)
    await turns(2)
    assert.deepEqual((await health(given)).sample, { total: 0, bad: 0 })
    monitor.isDown = false
    passMinutes(120)
    await turns(3)
    assert.equal((await health(given)).sample.total, 80_000)
  })

  test('silence lets a rollout climb by its hours alone if the policy says so', async ({
    assert,
  }) => {
    for (const [whenUnsure, expected] of [
      ['hold', []],
      ['grow', ['setRollout 0.5']],
    ] as const) {
      const given = await guarded('google', { guard: { metrics: [CRASHES], whenUnsure } })
      await quietFor(given.appId, 7)
      await given.turns(1)
      const look = () => setPolicy(given, [CRASHES], { whenUnsure, harmBudget: 0.6 })
      await look()
      await given.turns(2)
      // The hours of the rung are not over yet.
      assert.isEmpty(asked(given))
      passMinutes(21 * 60)
      await given.turns(3)
      assert.deepEqual(asked(given), [...expected])
      await tidy()
    }
  })

  for (const type of ['google', 'apple'] as const) {
    for (const whenUnsure of ['hold', 'grow'] as const) {
      test(`without a previous version, people are called at once: ${type}, ${whenUnsure}`, async ({
        assert,
      }) => {
        const given = await rollingOut(type)
        const monitor = await monitored(given)
        monitor.versions.set('1.4.0', { sessions: 80_000, crashed: 1 })
        await setPolicy(given, [CRASHES], { whenUnsure })
        for (let turn = 0; turn < 4; turn++) await given.work()
        assert.deepEqual(await held(given), [whenUnsure === 'grow' ? 'unjudged' : 'noBaseline'])
        assert.isEmpty(asked(given))
        const { text } = monitor.posts.find((post) => post.text.includes('no earlier version'))!
        assert.include(
          text,
          whenUnsure === 'grow'
            ? 'grows without being judged'
            : type === 'apple'
              ? '30 more days of pause out of 30'
              : 'is held'
        )
      })
    }
  }

  test('a version that was unhealthy once is not sped up by healthy hours', async ({ assert }) => {
    const given = await guarded('google', { healthyHours: 2 })
    const { monitor, turns, crash, steer } = given
    crash()
    passMinutes(40)
    await turns(3)
    assert.deepEqual(asked(given), ['setRollout halt'])
    monitor.versions.set('1.4.0', { sessions: 80_000, crashed: 150 })
    await steer('resume')
    await turns(3)
    const before = ['setRollout halt', 'setRollout resume']
    for (let hour = 0; hour < 4; hour++) {
      passMinutes(120)
      await turns(2)
    }
    assert.equal((await health(given)).verdict, 'healthy')
    assert.deepEqual(asked(given), before)
    monitor.versions.set('1.4.0', { sessions: 160_000, crashed: 300 })
    passMinutes(17 * 60)
    await turns(3)
    assert.deepEqual(asked(given), [...before, 'setRollout 0.5'])
  })
})

test.group('The known traffic of an app', (group) => {
  group.each.teardown(tidy)

  test('people are notified of a budget that is too small once seven days are known', async ({
    assert,
  }) => {
    const given = await rollingOut()
    const monitor = await monitored(given)
    await released(given, 80)
    monitor.versions.set('1.3.0', { sessions: 300, crashed: 2 })
    monitor.versions.set('1.4.0', { sessions: 30, crashed: 0 })
    assert.equal((await setPolicy(given, [CRASHES])).status, 200)
    await began(given.appId, 4)
    const look = async () => {
      passMinutes(130)
      for (let turn = 0; turn < 3; turn++) await given.work()
    }
    await look()
    await look()
    assert.notInclude(await held(given), 'harmBudget')
    await countedIn(given, null, 300)
    await look()
    const reported = await held(given)
    assert.lengthOf(
      reported.filter((reason) => reason === 'harmBudget'),
      1
    )
  })

  test('another store of the app does not decide for the main one', async ({ assert }) => {
    const given = await rollingOut()
    await monitored(given)
    await released(given, 400)
    await countedIn(given, null, 50_000)
    await countedIn(given, 'another', 20)
    assert.equal((await setPolicy(given, [CRASHES])).status, 200)
    await db.from('rollouts').where('id', `${given.appId}-50000`).delete()
    assert.equal((await setPolicy(given, [CRASHES])).status, 200)
    await countedIn(given, null, 21)
    const { status, body } = await setPolicy(given, [CRASHES])
    assert.deepEqual([status, body.errors?.[0].code], [422, 'never_finishes'])
  })
})
