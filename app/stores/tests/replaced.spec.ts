import { test } from '@japa/runner'
import { sharesOf } from '#insights/queries/shares'
import { rollingOut } from '#rollouts/tests/support'
import { tidy, type StoreWorld } from './support.js'

/*
 * A rollout ends at its share when the version is replaced before all users have it.
 */

async function addHotfix(given: StoreWorld): Promise<void> {
  const { admin, appId } = given
  await admin.post(`/app/${appId}/release`, { version: '1.4.1', releaseType: 'hotfix' })
  await admin.put(`/app/${appId}/release/${appId}:1.4.1/kickoff`)
}

async function stateOf(given: StoreWorld) {
  const { run, release, statuses, admin, path } = given
  const { status, percentage, replacedBy } = (await run('rollout')).data.phased
  const { body } = await admin.get(`${path}/timelineEvents?limit=100`)
  const titles: string[] = body.data.map(({ title }: { title: string }) => title)
  const { status: ofRelease, phase } = await release()
  const { rollout: step } = await statuses()
  return { phased: { status, percentage, replacedBy }, step, ofRelease, phase, titles }
}

/** Returns the share offered of 1.4.0, after its replacement reached 20 %. */
const offered = ({ world, appId }: StoreWorld) =>
  world.write(async (scope) => {
    const { stores } = await sharesOf(scope, appId, new Set(['1.4.0']))
    return stores[0].offered
  })

test.group('A version that is replaced below 100 %', (group) => {
  group.each.teardown(tidy)

  for (const how of ['paused', 'rolling out'] as const) {
    for (const isReported of ['before', 'after'] as const) {
      test(`Apple, ${how}, reported ${isReported} its successor: its rollout ends at its share`, async ({
        assert,
      }) => {
        const given = await rollingOut('apple')
        const { admin, path, store, work } = given
        store.rollout({ state: 'active', day: 3 })
        await work()
        if (how === 'paused') await admin.put(`${path}/rollout`, { action: 'pause' })
        await work()
        await addHotfix(given)
        store.become('pendingRelease', { version: '1.4.1' })
        await work()
        const phased = { mode: 'phased', state: 'active', day: 5 } as const
        const succeed = () => store.become('live', { version: '1.4.1', rollout: phased })
        if (isReported === 'after') {
          succeed()
          await work()
        }
        // The store reports the phased release of a replaced version as complete.
        store.become('replaced')
        store.rollout({ state: 'complete', raw: 'COMPLETE', day: 7 })
        await work()
        succeed()
        await work()
        const { titles, ...stood } = await stateOf(given)
        assert.deepEqual(stood, {
          phased: { status: 'replaced', percentage: 5, replacedBy: '1.4.1' },
          step: 'complete',
          ofRelease: 'completed',
          phase: 'released',
        })
        assert.isTrue(
          titles.some((title) => / → complete, replaced by 1\.4\.1 at 5 %$/.test(title)),
          titles.join('\n')
        )
        assert.include(titles, '1.4.0 is completed: it was replaced by 1.4.1 at 5 %')
        assert.isEmpty(titles.filter((title) => /100 %|outside of Tarmac/.test(title)))
        const { rollout } = (await given.release()).storePlans[0]
        if (how === 'paused') assert.containSubset(rollout, { action: 'pause', status: 'done' })
        else assert.isNull(rollout)
        const { phasedRelease } = (await given.release()).appStoreVersions[0].apple
        assert.equal(phasedRelease.percentage, 5)
        assert.equal(await offered(given), 4)
      })
    }
  }

  test('Google Play: it can no longer be stopped once its successor is seen', async ({
    assert,
  }) => {
    const given = await rollingOut('google')
    const { admin, appId, path, store, work } = given
    await addHotfix(given)
    store.become('live', { version: '1.4.1', buildNumbers: ['4712'] })
    await work()
    // The store still lists it as it was.
    assert.equal((await given.release()).storePlans[0].seen.state, 'rolledOutPartially')
    const changes = [...store.changes]
    for (const [call, body] of [
      ['rollout', { action: 'halt' }],
      ['redButton', {}],
    ] as const) {
      const refused = await admin.put(`${path}/${call}`, body)
      assert.deepEqual([refused.status, refused.body.code], [409, 'rollout_not_running'])
      assert.match(refused.body.detail, /1\.4\.1 took its place/)
    }
    await work()
    assert.deepEqual(store.changes, changes)
    const { body } = await admin.get(`/app/${appId}/release/${appId}:1.4.0/timelineEvents`)
    assert.notInclude(JSON.stringify(body.data), 'is being halted')
  })

  for (const [state, rollout] of [
    ['halted', { state: 'halted', fraction: 0.05 }],
    ['rolledOutPartially', { state: 'active', fraction: 0.05 }],
  ] as const) {
    test(`Google Play, ${state}: its rollout ends once a higher version code is published`, async ({
      assert,
    }) => {
      const given = await rollingOut('google')
      const { store, work } = given
      store.become(state)
      store.rollout(rollout)
      await work()
      await addHotfix(given)
      store.become('inReview', { version: '1.4.1', buildNumbers: ['4712'] })
      await work()
      assert.equal((await stateOf(given)).ofRelease, 'active')
      store.become('rolledOutPartially', {
        version: '1.4.1',
        rollout: { mode: 'staged', state: 'active', fraction: 0.2 },
      })
      await work()
      const { titles, ...stood } = await stateOf(given)
      assert.deepEqual(stood, {
        phased: { status: 'replaced', percentage: 5, replacedBy: '1.4.1' },
        step: 'complete',
        ofRelease: 'completed',
        phase: 'released',
      })
      assert.include(titles, '1.4.0 is completed: it was replaced by 1.4.1 at 5 %')
      assert.equal(await offered(given), 4)
    })
  }

  test('Google Play: a higher version with a lower version code replaces nothing', async ({
    assert,
  }) => {
    const given = await rollingOut('google')
    const { store, work } = given
    await addHotfix(given)
    store.become('halted', { version: '1.4.1', buildNumbers: ['4710'] })
    await work()
    assert.containSubset(await stateOf(given), {
      phased: { status: 'active', percentage: 10 },
      ofRelease: 'active',
    })
  })

  for (const type of ['apple', 'google'] as const) {
    for (const [action, ofRelease] of [
      ['skip', 'skipped'],
      ['complete', 'completed'],
    ] as const) {
      test(`${type}: its rollout ends as well if its release is ${ofRelease}`, async ({
        assert,
      }) => {
        const given = await rollingOut(type)
        const { admin, path, store, work } = given
        assert.equal((await admin.put(`${path}/${action}`, { force: true })).status, 200)
        await admin.post(`/app/${given.appId}/release`, { version: '1.4.1' })
        await admin.put(`/app/${given.appId}/release/${given.appId}:1.4.1/kickoff`)
        for (let turn = 0; turn < 2; turn++) await work()
        const { percentage } = (await given.run('rollout')).data.phased
        const isApple = type === 'apple'
        store.become(isApple ? 'live' : 'rolledOutPartially', {
          version: '1.4.1',
          buildNumbers: ['4712'],
          rollout: isApple
            ? { mode: 'phased', state: 'active', day: 1 }
            : { mode: 'staged', state: 'active', fraction: 0.2 },
        })
        if (isApple) {
          store.become('replaced')
          store.rollout({ state: 'complete', day: 7 })
        }
        for (let turn = 0; turn < 2; turn++) await work()
        const stood = await stateOf(given)
        assert.deepEqual(stood.phased, { status: 'replaced', percentage, replacedBy: '1.4.1' })
        assert.equal(stood.ofRelease, ofRelease)
        assert.include(
          stood.titles,
          `The rollout of 1.4.0 ended at ${percentage} %: it was replaced`
        )
        assert.isEmpty(stood.titles.filter((title) => title.includes('at 100 %')))
        const refused = await admin.put(`${path}/redButton`)
        assert.equal(refused.status, 409)
      })
    }
  }

  test('lets the next release begin', async ({ assert }) => {
    const given = await rollingOut('google')
    const { store, work, admin, appId } = given
    await admin.post(`/app/${appId}/release`, { version: '1.5.0' })
    const waits = async () =>
      (await admin.get(`/app/${appId}/release/${appId}:1.5.0/whyNotMoving`)).body.release.map(
        ({ code }: { code: string }) => code
      )
    assert.include(await waits(), 'train_held')
    await addHotfix(given)
    store.become('live', { version: '1.4.1', buildNumbers: ['4712'] })
    await work()
    assert.notInclude(await waits(), 'train_held')
    assert.equal((await given.release('1.5.0')).status, 'active')
  })

  test('names no successor if it is unknown', async ({ assert }) => {
    const given = await rollingOut('apple')
    const { store, work } = given
    store.become('replaced')
    store.rollout({ state: 'complete', day: 7 })
    await work()
    const { phased, titles } = await stateOf(given)
    assert.deepEqual(phased, { status: 'replaced', percentage: 2, replacedBy: null })
    assert.include(titles, '1.4.0 is completed: it was replaced at 2 %')
  })

  test('stays at 100 % if all users had it', async ({ assert }) => {
    const given = await rollingOut('apple')
    const { store, work } = given
    await given.admin.post(`/app/${given.appId}/release`, { version: '1.5.0' })
    store.rollout({ state: 'complete', day: 7 })
    await work()
    store.become('replaced')
    await work()
    const { phased } = await stateOf(given)
    assert.deepEqual(phased, { status: 'completed', percentage: 100, replacedBy: undefined })
  })
})
