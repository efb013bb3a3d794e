import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { passMinutes, storeWorld, tidy, type StoreWorld } from '#stores/tests/support'
import { CRASHES, guarded, LADDER } from './guarded.js'
import { monitored } from './monitor.js'
import { ago, asked, began } from './support.js'

/*
 * The guard keeps watching a release that was completed or skipped, while its version still goes to
 * users.
 */

const timeline = async ({ admin, path }: StoreWorld, type: string) =>
  (await admin.get(`${path}/timelineEvents?type=${type}`)).body.data

const OVER = [
  ['skip', 'skipped'],
  ['complete', 'completed'],
] as const

test.group('The guard of a release that has ended', (group) => {
  group.each.teardown(tidy)

  for (const type of ['google', 'apple'] as const) {
    for (const [action, status] of OVER) {
      test(`stops a version that crashes more after its release was ${status}, ${type}`, async ({
        assert,
      }) => {
        const given = await guarded(type)
        const { admin, path, turns, crash, run, issues } = given
        assert.equal((await admin.put(`${path}/${action}`, { force: true })).body.status, status)
        await turns(2)
        crash()
        await turns(6)
        const [stop, stopped] = type === 'apple' ? ['pause', 'paused'] : ['halt', 'halted']
        assert.deepEqual(asked(given), [`setRollout ${stop}`])
        assert.equal((await run('rollout')).data.phased.status, stopped)
        assert.lengthOf(await issues(), 1)
        assert.lengthOf(await timeline(given, 'rollout.stopped'), 1)
      })
    }
  }

  for (const [action, status] of OVER) {
    test(`lets nothing grow after the release was ${status}, and reports that once`, async ({
      assert,
    }) => {
      const given = await guarded('google')
      const { admin, appId, path, turns, monitor, release } = given
      monitor.versions.set('1.4.0', { sessions: 80_000, crashed: 160 })
      await turns(1)
      await admin.put(`${path}/${action}`, { force: true })
      await began(appId, 30)
      await turns(4)
      assert.isEmpty(asked(given))
      assert.isNull((await release()).storePlans[0].nextStage)
      const held = await timeline(given, 'rollout.held')
      assert.lengthOf(held, 1)
      assert.include(
        held[0].title,
        `stays at 10 %: the release is ${status}, and its policy no longer moves it. Its guard keeps watching it`
      )
      const { body } = await admin.get(`${path}/whyNotMoving`)
      assert.notInclude(JSON.stringify(body.next), 'rolloutStage')
    })
  }

  test('pauses a phased release before a day without enough data, and nothing resumes it', async ({
    assert,
  }) => {
    const given = await guarded('apple')
    const { admin, path, turns, monitor } = given
    monitor.versions.set('1.4.0', { sessions: 100, crashed: 0 })
    await admin.put(`${path}/skip`, { force: true })
    await turns(2)
    assert.isEmpty(asked(given))
    passMinutes(18 * 60)
    await turns(3)
    assert.deepEqual(asked(given), ['setRollout pause'])
    monitor.versions.set('1.4.0', { sessions: 400_000, crashed: 800 })
    await turns(8)
    assert.deepEqual(asked(given), ['setRollout pause'])
    const reported = await timeline(given, 'rollout.held')
    assert.isTrue(
      reported.some(({ title }: { title: string }) => /is paused: .*not enough/.test(title))
    )
  })

  test('does not pause for days on which the policy forbids growth', async ({ assert }) => {
    const inThreeDays = new Date(Date.now() + 3 * 24 * 3_600_000).getUTCDay() || 7
    const given = await guarded('apple')
    const { admin, appId, path, turns, monitor } = given
    monitor.versions.set('1.4.0', { sessions: 400_000, crashed: 800 })
    await admin.put(`${path}/complete`, { force: true })
    const policy = { ladder: LADDER, guard: { metrics: [CRASHES] }, weekdays: [inThreeDays] }
    await admin.put(`/app/${appId}/rolloutPolicy`, { policy })
    await turns(4)
    assert.isEmpty(asked(given))
  })

  test('begins when a store automatically releases a version whose release was skipped during review', async ({
    assert,
  }) => {
    const given = await storeWorld('google', ['kickoff', 'submission', 'takeoff', 'rollout'])
    const { admin, appId, path, store, work } = given
    const monitor = await monitored(given)
    await admin.post(`/app/${appId}/release`, { version: '1.3.0' })
    await db
      .from('releases')
      .where({ app_id: appId, version: '1.3.0' })
      .update({ released_at: ago(200) })
    monitor.versions.set('1.3.0', { sessions: 480_000, crashed: 960 })
    const policy = { ladder: LADDER, guard: { metrics: [CRASHES] } }
    assert.equal((await admin.put(`/app/${appId}/rolloutPolicy`, { policy })).status, 200)
    store.upload('4711')
    store.become('inReview', { buildNumbers: ['4711'] })
    await work()
    assert.equal((await admin.put(`${path}/skip`, { force: true })).status, 200)
    await work()
    store.become('rolledOutPartially')
    store.rollout({ state: 'active', fraction: 0.1 })
    await work()
    monitor.versions.set('1.4.0', { sessions: 80_000, crashed: 560 })
    for (let turn = 0; turn < 6; turn++) await work()
    assert.deepEqual(asked(given), ['setRollout halt'])
  })

  test('begins when a policy is set after the end of the release', async ({ assert }) => {
    const given = await guarded()
    const { admin, appId, path, turns, crash } = given
    await admin.put(`/app/${appId}/rolloutPolicy`, { policy: null })
    await db.from('rollouts').where('app_id', appId).delete()
    await admin.put(`${path}/complete`, { force: true })
    await turns(2)
    crash()
    await turns(2)
    assert.isEmpty(asked(given))
    const policy = { ladder: LADDER, guard: { metrics: [CRASHES] } }
    await admin.put(`/app/${appId}/rolloutPolicy`, { policy })
    await turns(6)
    assert.deepEqual(asked(given), ['setRollout halt'])
  })

  test('ends when the version is replaced', async ({ assert }) => {
    const given = await guarded('apple')
    const { admin, appId, path, store, turns } = given
    await admin.put(`${path}/skip`, { force: true })
    await turns(1)
    store.become('replaced')
    await turns(3)
    const row = await db.from('rollouts').where('app_id', appId).firstOrFail()
    assert.isNotNull(row.ended_at)
    const openJobs = db.from('jobs').whereIn('kind', ['rollout.look', 'rollout.measure'])
    assert.isEmpty(await openJobs.whereNull('finished_at'))
  })

  test('watches a rollout that goes on after a halt at 100 %', async ({ assert }) => {
    const given = await guarded()
    const { admin, appId, path, store, turns, crash, steer } = given
    store.become('live', { version: '1.3.0', buildNumbers: ['4700'] })
    store.rollout({ state: 'complete', fraction: 1 })
    store.become('live')
    await turns(2)
    await db
      .from('app_store_versions')
      .whereIn(
        'release_id',
        db.from('releases').where({ app_id: appId, version: '1.3.0' }).select('id')
      )
      .update({ released_at: ago(200) })
    assert.equal((await given.release()).status, 'completed')
    await steer('halt')
    await turns(2)
    const { status } = await admin.put(`${path}/rollout`, { action: 'set', percentage: 30 })
    assert.equal(status, 200)
    await turns(4)
    assert.deepEqual(asked(given), ['setRollout halt', 'setRollout 0.3'])
    crash()
    await turns(6)
    assert.deepEqual(asked(given), ['setRollout halt', 'setRollout 0.3', 'setRollout halt'])
  })
})
