import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { findRelease } from '#releases/queries/find_release'
import { ChangeRollout } from '#stores/actions/change_rollout'
import { refusal } from '#stores/tests/memory_store'
import { readyWorld, tidy, type StoreWorld } from '#stores/tests/support'
import { stopRelease } from '../stop_release.js'

/*
 * A stop of a rollout reaches the store, whatever other requests are pending or were just sent.
 */

async function partlyOut(type: 'apple' | 'google' = 'google'): Promise<StoreWorld> {
  const given = await readyWorld(type)
  const { store, admin, path, work } = given
  await admin.put(`${path}/submit`, {})
  await work()
  store.become(type === 'google' ? 'rolledOutPartially' : 'live')
  store.rollout(
    type === 'google' ? { state: 'active', fraction: 0.1 } : { state: 'active', day: 6 }
  )
  await work()
  store.changes.length = 0
  return given
}

const act = async (
  { world, appId }: StoreWorld,
  work: (
    scope: Parameters<Parameters<StoreWorld['world']['write']>[0]>[0],
    release: Awaited<ReturnType<typeof findRelease>>
  ) => Promise<unknown>
) => world.write(async (scope) => work(scope, await findRelease(scope, appId, `${appId}:1.4.0`)))

const urgent = () =>
  db.from('jobs').where('kind', 'store.stop').whereNull('entity_key').whereNull('finished_at')

test.group('A stop of a rollout', (group) => {
  group.each.teardown(tidy)

  test('does not wait for a request made at the same instant', async ({ assert }) => {
    const given = await partlyOut()
    await act(given, async (scope, release) => {
      const change = new ChangeRollout(scope)
      await change.handle(release, { action: 'set', percentage: 50 })
      await change.handle(release, { action: 'halt' }, { isUrgent: true })
    })
    assert.lengthOf(await urgent(), 1)
    for (let turn = 0; turn < 2; turn++) await given.work()
    assert.deepEqual(given.store.changes, ['setRollout halt'])
  })

  test('is requested if a store reports that some users have the version, but no rollout', async ({
    assert,
  }) => {
    const given = await partlyOut()
    const { store, admin, path, work, release } = given
    delete store.find('1.4.0')!.rollout
    await work()
    assert.equal((await admin.put(`${path}/redButton`)).status, 200)
    assert.containsSubset((await release()).storePlans[0].rollout, {
      action: 'halt',
      status: 'underWay',
    })
    await work()
    assert.include(store.refused, 'setRollout halt')
  })

  test('calls people if the store does not confirm it for a long time', async ({ assert }) => {
    const given = await partlyOut()
    const { store, admin, path, work } = given
    for (let each = 0; each < 9; each++) store.failures.push(refusal('unavailable', 'Down'))
    await admin.put(`${path}/redButton`)
    const failed = async () =>
      (await admin.get(`${path}/timelineEvents?type=store.failed`)).body.data.map(
        ({ title }: { title: string }) => title
      )
    await work()
    await work()
    const reported = await failed()
    assert.match(reported[0], /is not confirmed as stopped yet: .*Down/)
    for (let turn = 0; turn < 10; turn++) await work()
    assert.deepEqual(store.changes, ['setRollout halt'])
    const all = (await failed()).length
    for (let turn = 0; turn < 3; turn++) await work()
    assert.lengthOf(await failed(), all)
  })

  for (const state of ['complete', 'inReview'] as const) {
    test(`calls people at most once per reason and day if the version is ${state}`, async ({
      assert,
    }) => {
      const given = state === 'complete' ? await partlyOut('apple') : await readyWorld('apple')
      const { store, admin, path, work } = given
      if (state === 'complete') {
        store.rollout({ state: 'complete', day: 7 })
        store.failures.push(refusal('preconditionFailed', 'It is over'))
      } else {
        await admin.put(`${path}/submit`, {})
        await work()
        // The store releases it by itself.
        store.become('inReview', { release: { method: 'auto' } })
        await work()
      }
      await admin.put(`${path}/rollout`, { action: 'pause' })
      for (let turn = 0; turn < 12; turn++) await work()
      const { body } = await admin.get(`${path}/timelineEvents?limit=200`)
      const called = body.data.filter(({ type }: { type: string }) =>
        ['store.failed', 'store.question'].includes(type)
      )
      const days = called.map(
        ({ occurredAt, title }: Record<string, string>) => `${occurredAt.slice(0, 10)} ${title}`
      )
      // An unreleased version needs no stop while the store answers.
      if (state === 'complete') assert.isNotEmpty(days)
      else assert.isEmpty(days)
      assert.lengthOf(days, new Set(days).size)
      const confirms = { kind: 'store.confirmStop', state: 'planned' }
      assert.lengthOf(await db.from('jobs').where(confirms).whereNull('finished_at'), 1)
    })
  }

  test('fails if the rollout was completed before it, with the reason', async ({ assert }) => {
    const given = await partlyOut('apple')
    const { store, admin, path, work, release } = given
    await admin.put(`${path}/redButton`)
    store.rollout({ state: 'complete', day: 7 })
    store.failures.push(refusal('preconditionFailed', 'It is over'))
    await work()
    const [plan] = (await release()).storePlans
    assert.deepEqual([plan.rollout.status, plan.rollout.action], ['failed', 'pause'])
    // The reason is the refusal of the store, or the state that was seen before it.
    assert.match(
      plan.rollout.reason,
      /could not be stopped: It is over|is over .*: the store can no longer stop it/
    )
    assert.isEmpty(await urgent())
    const { body } = await admin.get(`${path}/timelineEvents?type=store.question`)
    assert.lengthOf(body.data, 1)
  })

  test('stops once a rollout that a pending takeoff began', async ({ assert }) => {
    const given = await readyWorld('apple')
    const { store, admin, path, work, run } = given
    await admin.put(`${path}/submit`, {})
    await work()
    store.become('pendingRelease')
    store.rollout({ state: 'inactive' })
    await work()
    store.breaks.add('before release')
    await admin.put(`${path}/takeoff`)
    await work()
    await act(given, (scope, release) => stopRelease(scope, release, 'It is unhealthy elsewhere'))
    // The takeoff reaches the store after all.
    store.become('live')
    store.rollout({ state: 'active', day: 1 })
    for (let turn = 0; turn < 3; turn++) await work()
    const changes = () => store.changes.filter((each) => each.startsWith('setRollout'))
    assert.deepEqual(changes(), ['setRollout pause'])
    assert.equal((await run('rollout')).data.phased.status, 'paused')
    await admin.put(`${path}/rollout`, { action: 'resume' })
    for (let turn = 0; turn < 3; turn++) await work()
    assert.deepEqual(changes(), ['setRollout pause', 'setRollout resume'])
  })
})
