import { test } from '@japa/runner'
import { findRelease } from '#releases/queries/find_release'
import { ChangeRollout } from '#stores/actions/change_rollout'
import { tidy, workThrough, type StoreWorld } from '#stores/tests/support'
import { asked, rollingOut } from './support.js'

/** Lets lists show the state of the store some seconds ago, with that lag. */
function lagging({ store }: StoreWorld, seconds: number): void {
  const past: { at: number; version: string }[] = []
  const note = () => past.push({ at: Date.now(), version: JSON.stringify(store.find('1.4.0')) })
  const { change, listed } = store
  note()
  store.lagSeconds = seconds
  store.change = async (name, what, act) => {
    try {
      return (await change.call(store, name, what, act)) as never
    } finally {
      note()
    }
  }
  store.listed = (version) => {
    if (version.version !== '1.4.0') return listed.call(store, version)
    const shown = past.findLast(({ at }) => at <= Date.now() - seconds * 1000) ?? past[0]
    return listed.call(store, JSON.parse(shown.version))
  }
}

/** Lets time pass in steps of half a minute. */
const pass = async ({ world }: StoreWorld, minutes: number) => {
  for (let turn = 0; turn < 2 * minutes; turn++) await workThrough(world.organizationId, 0.5)
}

const endOf = async ({ store, run, release }: StoreWorld) => {
  const [{ standing, rollout }] = (await release()).storePlans
  return {
    store: store.find('1.4.0')!.rollout!.state,
    shown: (await run('rollout')).data.phased.status,
    decided: `${rollout.action} ${rollout.status} ${standing}`,
  }
}

test.group('A stop that may be lost', (group) => {
  group.each.teardown(tidy)

  for (const isLost of [false, true]) {
    const how = isLost ? 'whose answer was lost' : 'that was answered'
    test(`a resume soon after a pause ${how} reaches the store`, async ({ assert }) => {
      const given = await rollingOut()
      const { admin, path, store } = given
      lagging(given, 300)
      if (isLost) store.breaks.add('after setRollout')
      await admin.put(`${path}/rollout`, { action: 'pause' })
      await pass(given, 0.5)
      assert.deepEqual(asked(given), ['setRollout halt'])
      await admin.put(`${path}/rollout`, { action: 'resume' })
      await pass(given, 20)
      assert.deepEqual(await endOf(given), {
        store: 'active',
        shown: 'active',
        decided: 'resume done agreed',
      })
      const { body } = await admin.get(`${path}/timelineEvents?type=store.adopted`)
      assert.isEmpty(body.data)
    })

    test(`a pause soon after a resume ${how} reaches the store`, async ({ assert }) => {
      const given = await rollingOut()
      const { admin, path, store } = given
      await admin.put(`${path}/rollout`, { action: 'pause' })
      await pass(given, 2)
      lagging(given, 300)
      if (isLost) store.breaks.add('after setRollout')
      await admin.put(`${path}/rollout`, { action: 'resume' })
      await pass(given, 8)
      assert.equal(store.find('1.4.0')!.rollout!.state, 'active')
      await admin.put(`${path}/rollout`, { action: 'pause' })
      await pass(given, 20)
      assert.deepEqual(await endOf(given), {
        store: 'halted',
        shown: 'halted',
        decided: 'halt done agreed',
      })
      const { body } = await admin.get(`${path}/timelineEvents?type=store.adopted`)
      assert.isEmpty(body.data)
    })
  }

  test('a stop that is decided in the same millisecond as an increase under way is carried out', async ({
    assert,
  }) => {
    const given = await rollingOut()
    const { admin, appId, path, store, world, release } = given
    const { change } = store
    await admin.put(`${path}/rollout`, { action: 'set', percentage: 50 })
    const { at } = (await release()).storePlans[0].rollout
    store.change = async (name, what, act) => {
      store.change = change
      await world.write(async (scope) => {
        Object.defineProperty(scope, 'now', { value: at })
        const found = await findRelease(scope, appId, `${appId}:1.4.0`)
        await new ChangeRollout(scope).handle(found, { action: 'halt' }, { isUrgent: true })
      })
      return change.call(store, name, what, act) as never
    }
    await pass(given, 10)
    assert.equal((await release()).storePlans[0].rollout.at, at)
    assert.deepEqual(asked(given), ['setRollout 0.5', 'setRollout halt'])
    assert.deepEqual(await endOf(given), {
      store: 'halted',
      shown: 'halted',
      decided: 'halt done agreed',
    })
  })

  test('a restarted review is reported once although an answer was lost', async ({ assert }) => {
    const given = await rollingOut()
    const { admin, appId, path, store, work, run } = given
    await admin.post(`/app/${appId}/release`, { version: '1.5.0' })
    await admin.put(`/app/${appId}/release/${appId}:1.5.0/kickoff`)
    store.become('inReview', { version: '1.5.0', buildNumbers: ['4712'] })
    await work()
    store.breaks.add('after setRollout')
    await admin.put(`${path}/rollout`, { action: 'halt' })
    for (let turn = 0; turn < 4; turn++) await work()
    assert.equal((await run('rollout')).data.phased.status, 'halted')
    const { body } = await admin.get(
      `/app/${appId}/release/${appId}:1.5.0/timelineEvents?type=store.reviewRestarted`
    )
    assert.lengthOf(body.data, 1)
  })
})
