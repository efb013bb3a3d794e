import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { refusal } from '#stores/tests/memory_store'
import { tidy, type StoreWorld } from '#stores/tests/support'
import { CRASHES, guarded, LADDER } from './guarded.js'
import { ago, asked, began, rollingOut } from './support.js'

/*
 * The guard finds a version unhealthy while the store has another request about it. The tests also
 * cover what follows for a version that was once unhealthy.
 */

const timeline = async ({ admin, path }: StoreWorld, type: string) =>
  (await admin.get(`${path}/timelineEvents?type=${type}`)).body.data

test.group('The health guard beside other requests to a store', (group) => {
  group.each.teardown(tidy)

  for (const type of ['google', 'apple'] as const) {
    test(`overtakes a pending resume when the version is found unhealthy, ${type}`, async ({
      assert,
    }) => {
      const given = await guarded(type)
      const { store, turns, crash, steer, run } = given
      const stop = `setRollout ${type === 'apple' ? 'pause' : 'halt'}`
      await steer('halt')
      await turns(2)
      assert.deepEqual(asked(given), [stop])
      for (let each = 0; each < 3; each++) store.failures.push(refusal('unavailable', 'Down'))
      await steer('resume')
      crash()
      await turns(8)
      assert.notInclude(asked(given), 'setRollout resume')
      assert.include(['paused', 'halted'], (await run('rollout')).data.phased.status)
      assert.lengthOf(await given.issues(), 1)
      assert.lengthOf(await timeline(given, 'rollout.stopped'), 1)
    })

    test(`lets a person resume an unhealthy rollout, and judges it again, ${type}`, async ({
      assert,
    }) => {
      const given = await guarded(type)
      const { store, turns, crash, steer, run, monitor } = given
      const stop = `setRollout ${type === 'apple' ? 'pause' : 'halt'}`
      crash()
      await turns(5)
      assert.deepEqual(asked(given), [stop])
      store.failures.push(refusal('unavailable', 'Down'))
      await steer('resume')
      monitor.sessionsOf = ({ from }) => (from < ago(24) ? 480_000 : from < ago(1) ? 80_000 : 0)
      await turns(6)
      assert.deepEqual(asked(given), [stop, 'setRollout resume'])
      assert.equal((await run('rollout')).data.phased.status, 'active')
      monitor.sessionsOf = null
      await turns(5)
      assert.deepEqual(asked(given), [stop, 'setRollout resume', stop])
      assert.lengthOf(await timeline(given, 'rollout.stopped'), 2)
      assert.lengthOf(await given.issues(), 1)
    })
  }

  test('reports an unhealthy rollout that cannot be paused any more, and asks the store for nothing', async ({
    assert,
  }) => {
    const given = await guarded('apple', { stops: 'release' })
    const { store, turns, crash } = given
    store.rollout({ state: 'active', day: 3, pausedDays: 30 })
    crash()
    await turns(8)
    assert.isEmpty(asked(given))
    assert.isEmpty(await timeline(given, 'rollout.stopped'))
    // The guard and the policy each report it at their own check.
    const held = (await timeline(given, 'rollout.held')).map(({ title }: any) => title).sort()
    assert.lengthOf(held, 2)
    assert.match(held[0], /can no longer be paused and continues, though unhealthy, at \d+ %/)
    assert.match(held[1], /continues automatically: the store allows no more than/)
    assert.lengthOf(await given.issues(), 1)
  })

  test('reports once that a rollout halted by a person is unhealthy', async ({ assert }) => {
    const given = await guarded()
    const { turns, crash, steer } = given
    await steer('halt')
    await turns(2)
    crash()
    await turns(6)
    assert.deepEqual(asked(given), ['setRollout halt'])
    assert.lengthOf(await given.issues(), 1)
    assert.lengthOf(await timeline(given, 'rollout.stopped'), 1)
  })

  test('makes a waiting pause for a quiet day urgent once the version is unhealthy', async ({
    assert,
  }) => {
    const given = await guarded('apple')
    const { admin, appId, store, turns, crash, release } = given
    const inThreeDays = new Date(Date.now() + 3 * 24 * 3_600_000).getUTCDay() || 7
    const policy = { ladder: LADDER, guard: { metrics: [CRASHES] }, weekdays: [inThreeDays] }
    for (let each = 0; each < 4; each++) store.failures.push(refusal('unavailable', 'Down'))
    await admin.put(`/app/${appId}/rolloutPolicy`, { policy })
    await turns(1)
    const urgent = db.from('jobs').where({ kind: 'store.stop' }).whereNull('entity_key')
    crash()
    await turns(8)
    assert.isNotEmpty(await urgent.clone())
    assert.deepEqual(asked(given), ['setRollout pause'])
    assert.equal((await release()).storePlans[0].standing, 'agreed')
    assert.lengthOf(await given.issues(), 1)
  })

  test('completes an unhealthy rollout on proof or by a person, not by a date', async ({
    assert,
  }) => {
    const given = await guarded('google', { finishWithinDays: 1 })
    const { turns, crash, steer, monitor, appId } = given
    crash()
    await turns(5)
    monitor.versions.delete('1.4.0')
    await steer('resume')
    await turns(4)
    const row = await db.from('rollouts').where('app_id', appId).first()
    const stages = JSON.parse(row.stages).map((stage: object) => ({ ...stage, at: ago(50) }))
    await db
      .from('rollouts')
      .where('id', row.id)
      .update({ started_at: ago(80), stages: JSON.stringify(stages) })
    await turns(4)
    assert.deepEqual(asked(given), ['setRollout halt', 'setRollout resume'])
    const held = await timeline(given, 'rollout.held')
    assert.equal(held[0].data.until, null)
  })

  test('does not count stopped days towards finishWithinDays', async ({ assert }) => {
    const given = await guarded('google', { finishWithinDays: 2 })
    const { turns, appId, store } = given
    const stages = [
      { percentage: 10, at: ago(80), stoppedAt: ago(79) },
      { percentage: 10, at: ago(30) },
    ]
    const startedAgo = (started: number) =>
      db
        .from('rollouts')
        .where('app_id', appId)
        .update({ started_at: ago(started), stages: JSON.stringify(stages) })
    store.rollout({ state: 'active', fraction: 0.1 })
    await startedAgo(80)
    await turns(3)
    const overdue = async () =>
      (await timeline(given, 'rollout.held')).filter(
        ({ data }: { data: { reason: string } }) => data.reason === 'finishWithinDays'
      )
    assert.isEmpty(await overdue())
    await startedAgo(100)
    await given.admin.put(`/app/${appId}/rolloutPolicy`, {
      policy: {
        ladder: LADDER,
        guard: { metrics: [CRASHES] },
        finishWithinDays: 2,
        weekdays: [1, 2, 3, 4, 5, 6],
      },
    })
    await turns(3)
    assert.lengthOf(await overdue(), 1)
    // No date skips a rung.
    assert.isEmpty(asked(given))
  })

  for (const [type, stages] of [
    ['google', LADDER.length],
    ['apple', 7],
  ] as const) {
    test(`shares the error bound among all ${stages} stages at ${type}`, async ({ assert }) => {
      const given = await guarded(type)
      given.crash()
      await given.turns(5)
      const [judged] = await timeline(given, 'rollout.judged')
      assert.closeTo(judged.data.threshold, stages * 100, 0.001)
    })
  }

  test('checks a rollout again after any number of failures', async ({ assert }) => {
    const given = await rollingOut()
    const { admin, appId, work } = given
    const turns = async (count: number) => {
      for (let turn = 0; turn < count; turn++) await work()
    }
    await admin.put(`/app/${appId}/rolloutPolicy`, { policy: { ladder: LADDER } })
    await turns(1)
    const policies = db.from('rollout_policies').where('app_id', appId)
    const { policy } = await policies.clone().first()
    const { ladder, ...broken } = JSON.parse(policy)
    assert.isNotEmpty(ladder)
    await policies.clone().update({ policy: JSON.stringify(broken) })
    await turns(8)
    await policies.clone().update({ policy })
    await began(appId, 30)
    await turns(3)
    assert.deepEqual(asked(given), ['setRollout 0.5'])
  })
})

test.group('A release that is completed by hand', (group) => {
  group.each.teardown(tidy)

  for (const [type, reported] of [
    ['apple', 'continues automatically from 2 %'],
    ['google', 'stays at 10 %'],
  ] as const) {
    test(`is reported as no longer watched while it is rolled out, ${type}`, async ({ assert }) => {
      const given = await rollingOut(type)
      const { admin, appId, path, work } = given
      const set = () => admin.put(`/app/${appId}/rolloutPolicy`, { policy: { ladder: LADDER } })
      await set()
      await work()
      assert.equal((await admin.put(`${path}/complete`, { force: true })).status, 200)
      await work()
      await admin.put(`/app/${appId}/rolloutPolicy`, { policy: null })
      await work()
      const held = await timeline(given, 'rollout.held')
      assert.lengthOf(held, 1)
      assert.include(held[0].title, `${reported}, and is no longer watched`)
      // The red button still works.
      assert.equal((await admin.put(`${path}/redButton`)).status, 200)
      await work()
      assert.lengthOf(asked(given), 1)
    })
  }
})

test.group('PUT /app/{appId}/rolloutPolicy while a rollout is under way', (group) => {
  group.each.teardown(tidy)

  const nextStage = async ({ release }: StoreWorld) => (await release()).storePlans[0].nextStage

  test('dates the next move again at once, and removes it with the policy', async ({ assert }) => {
    const given = await rollingOut()
    const { admin, appId, work, path } = given
    const set = async (policy: object | null) => {
      await admin.put(`/app/${appId}/rolloutPolicy`, { policy })
      const due = db.from('jobs').where('kind', 'rollout.look')
      const [{ visible_at: at }] = await due.where('organization_id', given.world.organizationId)
      assert.isAtMost(Date.parse(at), Date.now())
      await work()
    }
    await set({ ladder: LADDER })
    const before = await nextStage(given)
    assert.equal(before.percentage, 50)
    await set({ ladder: [{ percentage: 10, hours: 48 }, ...LADDER.slice(1)] })
    const after = await nextStage(given)
    assert.closeTo(Date.parse(after.at) - Date.parse(before.at), 24 * 3_600_000, 60_000)
    await set(null)
    assert.isNull(await nextStage(given))
    const { body } = await admin.get(`${path}/whyNotMoving`)
    assert.notInclude(JSON.stringify(body.next), 'rolloutStage')
  })

  test('reports once that a rollout paused by the service stays paused without a policy', async ({
    assert,
  }) => {
    const given = await rollingOut('apple')
    const { admin, appId, work } = given
    const inThreeDays = new Date(Date.now() + 3 * 24 * 3_600_000).getUTCDay() || 7
    for (const policy of [{ ladder: LADDER, weekdays: [inThreeDays] }, null, null]) {
      await admin.put(`/app/${appId}/rolloutPolicy`, { policy })
      for (let turn = 0; turn < 3; turn++) await work()
    }
    assert.deepEqual(asked(given), ['setRollout pause'])
    const held = await timeline(given, 'rollout.held')
    assert.lengthOf(held, 1)
    assert.match(held[0].title, /stays paused at 2 %: the service/)
  })
})
