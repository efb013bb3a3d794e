import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { refusal } from '#stores/tests/memory_store'
import { tidy, type StoreWorld } from '#stores/tests/support'
import { monitored } from './monitor.js'
import { ago, asked, began, quietFor, rollingOut } from './support.js'

const LADDER = [
  { percentage: 10, hours: 24 },
  { percentage: 50, hours: 24 },
  { percentage: 100, hours: 0 },
]
const CRASHES = {
  name: 'crashFreeSessions',
  source: 'crashMonitoring',
  measure: 'crashFreeSessions',
}

const setPolicy = ({ admin, appId }: StoreWorld, metrics: object[], more: object = {}) =>
  admin.put(`/app/${appId}/rolloutPolicy`, {
    policy: { ladder: LADDER, guard: { metrics }, call: ['ada@acme.example'], ...more },
  })

/** Changes the policy, so that the rollout is checked now. */
async function lookAgain(given: StoreWorld, count = 2) {
  const quietDays = [`2030-01-0${1 + (looks++ % 9)}`]
  await setPolicy(given, [CRASHES], { quietDays })
  await turns(given, count)
}
let looks = 0

async function turns({ work }: StoreWorld, count = 4) {
  for (let turn = 0; turn < count; turn++) await work()
}

/** Adds a version that reached users some time before this rollout began. */
async function released({ admin, appId }: StoreWorld, version = '1.3.0') {
  await admin.post(`/app/${appId}/release`, { version })
  await db
    .from('releases')
    .where({ app_id: appId, version })
    .update({ released_at: ago(200) })
}

/** Returns the reasons in the timeline for which people were called. */
const held = async (given: StoreWorld): Promise<string[]> =>
  (await timeline(given, 'rollout.held')).map(
    ({ data }: { data: { reason: string } }) => data.reason
  )

const timeline = async ({ admin, path }: StoreWorld, type: string) =>
  (await admin.get(`${path}/timelineEvents?type=${type}`)).body.data

test.group('health guard with metrics of providers', (group) => {
  group.each.teardown(tidy)

  for (const [name, metric] of [
    ['crash monitoring', CRASHES],
    ['crash counts', { name: 'crashes', source: 'crashMonitoring', measure: 'crashes' }],
    ['analytics', { name: 'a', source: 'productAnalytics', total: 'login', bad: 'login failed' }],
  ] as const) {
    test(`${name}: a version that does worse than the previous one is stopped, and people are notified`, async ({
      assert,
    }) => {
      const given = await rollingOut()
      const monitor = await monitored(given)
      await released(given)
      monitor.versions.set('1.3.0', { sessions: 480_000, crashed: 960 })
      monitor.versions.set('1.4.0', { sessions: 80_000, crashed: 560 })
      const response = await setPolicy(given, [metric])
      assert.equal(response.status, 200, response.text)
      await began(given.appId, 4)
      await turns(given, 5)
      assert.deepEqual(asked(given), ['setRollout halt'])
      const [health] = (await given.run('rollout')).data.health
      assert.containsSubset(health, {
        metric: metric.name,
        value: 99.3,
        previousValue: 99.8,
        delta: -0.5,
        threshold: { operator: '>=', value: 99.3 },
        designEffect: { value: 5, estimated: false },
        healthy: false,
        verdict: 'unhealthy',
        sample: { total: 80_000, bad: 560 },
        previousSample: { total: 480_000, bad: 960 },
      })
      const [stopped] = await timeline(given, 'rollout.stopped')
      assert.match(stopped.title, /is being stopped at 10 %: .*unhealthy, 99\.30 % of 80,000/)
      await turns(given, 2)
      assert.lengthOf(await timeline(given, 'rollout.stopped'), 1)
      const post = monitor.posts.find(({ text }) => text.includes('is being stopped at 10 %'))
      assert.deepEqual(post?.mentions, ['U-ada'])
      assert.include(post?.text, 'Called: ada@acme.example')
    })
  }

  for (const [how, people, isAway, called] of [
    [
      'is called instead of the named person',
      [{ name: 'Grace', email: 'grace@acme.example' }],
      false,
      'grace@acme.example',
    ],
    ['is called by name if the address is unknown', [{ name: 'Grace' }], false, 'Grace'],
    ['is nobody, so the named person is called', [], false, 'ada@acme.example'],
    [
      'is unknown to a failing schedule, so the named person is called',
      [{ name: 'Grace', email: 'grace@acme.example' }],
      true,
      'ada@acme.example',
    ],
  ] as const) {
    test(`the person on call ${how}`, async ({ assert }) => {
      const given = await rollingOut()
      const monitor = await monitored(given)
      await released(given)
      monitor.onCall.set(
        'S1',
        people.map((each) => ({ ...each, from: ago(1) }))
      )
      monitor.isScheduleAway = isAway
      monitor.versions.set('1.3.0', { sessions: 480_000, crashed: 960 })
      monitor.versions.set('1.4.0', { sessions: 80_000, crashed: 560 })
      await setPolicy(given, [CRASHES])
      await began(given.appId, 4)
      await turns(given, 5)
      const post = monitor.posts.find(({ text }) => text.includes('is being stopped at 10 %'))
      assert.include(post?.text, `Called: ${called}`)
      assert.deepEqual(post?.mentions, [`U-${called.split('@')[0]}`])
    })
  }

  test('the person on call is called if nobody is named, and the pilot if nobody is on call', async ({
    assert,
  }) => {
    const given = await rollingOut()
    const monitor = await monitored(given)
    await released(given)
    await setPolicy(given, [CRASHES], { call: [] })
    monitor.onCall.set('S1', [{ name: 'Grace', email: 'grace@acme.example', from: ago(1) }])
    monitor.versions.set('1.3.0', { sessions: 480_000, crashed: 960 })
    monitor.versions.set('1.4.0', { sessions: 80_000, crashed: 560 })
    await began(given.appId, 4)
    await turns(given, 5)
    const posts = () =>
      monitor.posts.filter(({ text }) => text.includes('is being stopped at 10 %'))
    assert.deepEqual(posts()[0].mentions, ['U-grace'])
    // An edited message notifies nobody, so calls are messages of their own.
    monitor.onCall.clear()
    await given.admin.put(`${given.path}/rollout`, { action: 'resume' })
    await turns(given, 6)
    assert.lengthOf(posts(), 2)
    assert.notInclude(posts()[1].text, 'Called')
  })

  test('a healthy version climbs, and each stage is measured separately', async ({ assert }) => {
    const given = await rollingOut()
    const monitor = await monitored(given)
    await released(given)
    monitor.versions.set('1.3.0', { sessions: 80_000, crashed: 160 })
    monitor.versions.set('1.4.0', { sessions: 40_000, crashed: 70 })
    await setPolicy(given, [CRASHES], { healthyHours: 2 })
    await began(given.appId, 4)
    await turns(given)
    assert.deepEqual(asked(given), ['setRollout 0.5'])
    assert.isTrue(monitor.asked.every(({ environment }) => environment === 'live'))
    await turns(given)
    const row = await db.from('rollouts').where('app_id', given.appId).first()
    const stages = JSON.parse(row.stages)
    assert.deepEqual(
      stages.map(({ percentage }: { percentage: number }) => percentage),
      [10, 50]
    )
    assert.isTrue(
      monitor.asked.some(({ version, from }) => version === '1.4.0' && from === stages[1].at)
    )
  })

  test('an unavailable monitor is no silence, and the rung is held meanwhile', async ({
    assert,
  }) => {
    const given = await rollingOut()
    const monitor = await monitored(given)
    await released(given)
    monitor.isDown = true
    await setPolicy(given, [CRASHES], { healthyHours: 2, finishWithinDays: 1 })
    await began(given.appId, 30)
    await turns(given)
    assert.isEmpty(asked(given))
    assert.sameMembers(await held(given), ['notEnoughData', 'finishWithinDays'])
  })

  test('six hours without new counts are silence', async ({ assert }) => {
    const given = await rollingOut()
    const monitor = await monitored(given)
    await released(given)
    monitor.versions.set('1.3.0', { sessions: 480_000, crashed: 960 })
    monitor.versions.set('1.4.0', { sessions: 1000, crashed: 2 })
    await setPolicy(given, [CRASHES])
    await began(given.appId, 30)
    await turns(given)
    await quietFor(given.appId, 5)
    await lookAgain(given)
    assert.deepEqual(await held(given), ['notEnoughData'])
    await quietFor(given.appId, 6)
    await lookAgain(given)
    assert.include(await held(given), 'silent')
    assert.isTrue(monitor.posts.some(({ text }) => text.includes('no data arrives')))
    assert.isEmpty(asked(given))
  })

  test('distinct users are compared in spans of equal length', async ({ assert }) => {
    const given = await rollingOut()
    const monitor = await monitored(given)
    await released(given)
    monitor.versions.set('1.3.0', { sessions: 40_000, crashed: 80 })
    monitor.versions.set('1.4.0', { sessions: 40_000, crashed: 80 })
    const metric = { name: 'users', source: 'crashMonitoring', measure: 'crashFreeUsers' }
    await setPolicy(given, [metric])
    await began(given.appId, 5)
    await turns(given)
    const [health] = (await given.run('rollout')).data.health
    assert.deepEqual(health.designEffect, { value: 1, estimated: false })
    assert.deepEqual(health.previousSample, { total: 280_000, bad: 560 })
    const hours = ({ from, to }: { from: string; to: string }) =>
      Math.round((Date.parse(to) - Date.parse(from)) / 3_600_000)
    const spans = monitor.asked.filter((each) => hours(each) === 5)
    const [own, before] = ['1.4.0', '1.3.0'].map(
      (version) => spans.filter((each) => each.version === version).length
    )
    assert.isAbove(own, 0)
    assert.equal(before, 7 * own)
    const days = () =>
      monitor.asked.filter((each) => each.version === '1.3.0' && hours(each) === 24)
    assert.isNotEmpty(days())
    // The days of the previous version are requested once.
    monitor.asked.length = 0
    await given.world.write((scope) => scope.jobs.pollNow())
    await turns(given, 1)
    assert.isNotEmpty(monitor.asked)
    assert.isEmpty(days())
  })

  test('reviews of one and two stars are failures, too few prove nothing, and none are no silence', async ({
    assert,
  }) => {
    const given = await rollingOut()
    await monitored(given)
    await released(given)
    const { integrationId, storeType } = await given.target()
    const write = async (version: string, hours: number, rating: number, count: number) => {
      for (let index = 0; index < count; index++) {
        const id = `${given.appId}-${version}-${rating}-${index}`
        await db.table('app_store_reviews').insert({
          ...{ id, store_ref: id, organization_id: given.world.organizationId },
          ...{ app_id: given.appId, integration_id: integrationId, store_type: storeType },
          ...{ rating, title: null, body: 'It', author: 'A', locale: 'en', version },
          ...{ data: '{}', terms: '[]', written_at: ago(hours), seen_at: ago(hours) },
        })
      }
    }
    await setPolicy(given, [{ name: 'rating', source: 'appReviews' }, CRASHES])
    await began(given.appId, 10)
    await write('1.3.0', 50, 5, 190)
    await write('1.3.0', 50, 1, 10)
    await write('1.4.0', 2, 1, 19)
    await turns(given, 3)
    const verdict = async () => (await given.run('rollout')).data.health[0].verdict
    assert.equal(await verdict(), 'notEnoughData')
    assert.isEmpty(asked(given))
    await write('1.4.0', 2, 2, 20)
    await turns(given, 3)
    assert.equal(await verdict(), 'unhealthy')
    assert.deepEqual(asked(given), ['setRollout halt'])
  })

  test('a first version has no baseline: it is held, and never healthy', async ({ assert }) => {
    const given = await rollingOut()
    const monitor = await monitored(given)
    monitor.versions.set('1.4.0', { sessions: 80_000, crashed: 1 })
    await setPolicy(given, [CRASHES])
    await began(given.appId, 30)
    await turns(given)
    const [health] = (await given.run('rollout')).data.health
    assert.containsSubset(health, {
      verdict: 'notEnoughData',
      healthy: null,
      previousValue: null,
      delta: null,
      threshold: null,
      previousSample: null,
    })
    assert.isEmpty(asked(given))
    assert.include(await held(given), 'noBaseline')
  })

  test('a refusal by the store is reported in the chat', async ({ assert }) => {
    const given = await rollingOut()
    const monitor = await monitored(given)
    given.store.failures.push(refusal('forbidden' as never, 'The account may not do that'))
    await given.admin.put(`${given.path}/rollout`, { action: 'set', percentage: 20 })
    await turns(given)
    assert.isTrue(monitor.posts.some(({ text }) => text.includes('The account may not do that')))
    await given.admin.put(`${given.path}/redButton`, { reason: 'It burns' })
    await turns(given, 2)
    assert.isTrue(
      monitor.posts.some(({ text }) => text.includes('red button of 1.4.0 was pressed: It burns'))
    )
  })
})
