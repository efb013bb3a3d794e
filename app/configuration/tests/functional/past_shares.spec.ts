import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import type { TestContext } from '@japa/runner/core'
import { workAway } from '#releases/tests/helpers/code_world'
import { LADDER } from '#rollouts/tests/guarded'
import { workThrough } from '#stores/tests/support'
import { BRANCHES, makeHistoryInStore } from './history.js'
import { makeApp } from './yaml.js'

const TYPES = 'releaseTypes: {standard: {required: true}}'
const STEPS = `
stepGroups: [{steps: [{name: Kickoff, archetype: kickoff, ${TYPES}}, {name: Submit, archetype: submission, ${TYPES}}, {name: Take off, archetype: takeoff, ${TYPES}}, {name: Roll out, archetype: rollout, ${TYPES}}]}]`

/** Returns each release with the share that its store shows. */
const shares = (releases: any[]) =>
  releases.map(({ version, appStoreVersions: [inStore] }) => {
    const { apple, google } = inStore ?? {}
    return [version, (apple?.phasedRelease ?? google?.stagedRollout)?.percentage ?? null]
  })

test.group('Past versions of a store', () => {
  test('have the shares that they reached, and the current one of a version that rolls out', async ({
    assert,
    cleanup,
  }) => {
    const { world, admin, withStore, store, ship, releases } = await makeHistoryInStore(
      cleanup,
      'apple'
    )
    const [, live, rolling] = [ship('1.0.0', 0), ship('1.1.0', 7), ship('1.2.0', 14)]
    const startedAt = '2024-01-16T08:00:00.000Z'
    store.become('replaced', { version: '1.0.0' })
    store.rollout({ state: 'complete', fraction: 0.1, day: 4 }, { name: '1.0.0' })
    store.become('live', { version: '1.1.0' })
    store.rollout({ state: 'complete', fraction: 1 }, { name: '1.1.0' })
    store.become('rolledOutPartially', { version: '1.2.0' })
    store.rollout({ state: 'active', fraction: 0.05, day: 3, startedAt }, { name: '1.2.0' })
    store.become('inReview', { version: '1.3.0' })
    const { id } = await makeApp(world, `${BRANCHES}${STEPS}${withStore}`)
    const before = await world.events()
    await workAway()
    const all = await releases(id)
    assert.deepEqual(shares(all), [
      ['1.2.0', 5],
      ['1.1.0', 100],
      ['1.0.0', 10],
    ])
    for (const each of all) {
      assert.include(each, { imported: true, status: 'completed', phase: 'released' })
      assert.deepEqual((await admin.get(`/app/${id}/release/${each.id}/steps`)).body, [])
    }
    assert.equal(all[0].releasedAt, startedAt)
    assert.equal((await admin.get(`/app/${id}`)).body.liveVersion, '1.2.0')
    const offered = async (commit: string) =>
      (await admin.get(`/app/${id}/whereIs?commit=${commit}`)).body.apps[0].share.stores[0].offered
    assert.deepEqual([await offered(rolling), await offered(live)], [5, 100])

    // The store moves on by itself: the share follows, and nothing is decided or asked of it.
    store.rollout({ state: 'active', fraction: 0.2, day: 5, startedAt }, { name: '1.2.0' })
    await workThrough(world.organizationId)
    assert.deepEqual(shares(await releases(id))[0], ['1.2.0', 20])
    assert.equal(await offered(rolling), 20)
    assert.deepEqual(store.changes, [])
    assert.deepEqual(await db.from('store_plans').where('app_id', id), [])
    const told = (await world.events()).slice(before.length)
    assert.deepEqual(
      told.map(({ type }: { type: string }) => type),
      ['appStoreVersion.phasedReleaseUpdated']
    )
  })

  test('a halted one is not live, and a tag above those of the store is offered to nobody', async ({
    assert,
    cleanup,
  }) => {
    const { world, admin, withStore, store, ship, releases } = await makeHistoryInStore(
      cleanup,
      'google'
    )
    const [, commit, unshipped] = [ship('1.0.0', 0), ship('1.1.0', 7), ship('1.3.0', 20)]
    store.become('live', { version: '1.1.0', buildNumbers: ['41'] })
    store.rollout({ state: 'complete' }, { name: '1.1.0' })
    store.become('halted', { version: '1.2.0', buildNumbers: ['42'] })
    store.rollout({ state: 'halted', fraction: 0.2 }, { name: '1.2.0' })
    store.become('live', { version: '9.0.0', buildNumbers: ['90'], track: 'wear:production' })
    const { id } = await makeApp(world, `${BRANCHES}${withStore}`, 'android')
    await workAway()
    const all = await releases(id)
    assert.deepEqual(shares(all), [
      ['1.3.0', null],
      ['1.2.0', 20],
      ['1.1.0', 100],
      ['1.0.0', null],
    ])
    const offered = async (named: string) =>
      (await admin.get(`/app/${id}/whereIs?commit=${named}`)).body.apps[0].share.stores[0].offered
    assert.deepEqual([await offered(commit), await offered(unshipped)], [80, 0])
    assert.equal((await admin.get(`/app/${id}`)).body.liveVersion, '1.1.0')
    assert.equal((await admin.delete(`/app/${id}/release/${all[0].id}`)).status, 204)
    assert.equal((await admin.get(`/app/${id}`)).body.liveVersion, '1.1.0')
  })

  test('one that the store calls 1.1 ends as well once a newer one replaces it there', async ({
    assert,
    cleanup,
  }) => {
    const { world, withStore, store, releases } = await makeHistoryInStore(cleanup, 'apple')
    store.become('rolledOutPartially', { version: '1.1' })
    store.rollout({ state: 'active', fraction: 0.05, day: 3 }, { name: '1.1' })
    const { id } = await makeApp(world, `${BRANCHES}${STEPS}${withStore}`)
    await workAway()
    const shown = async () => {
      const [{ version, appStoreVersions }] = await releases(id)
      return [version, appStoreVersions[0].apple.appStoreState]
    }
    assert.deepEqual(await shown(), ['1.1.0', 'rolledOutPartially'])
    store.become('replaced', { version: '1.1' })
    store.become('live', { version: '1.2' })
    await workThrough(world.organizationId, 10)
    assert.deepEqual(await shown(), ['1.1.0', 'REPLACED_WITH_NEW_VERSION'])
  })

  test('one that rolls out is moved by no policy, and stopped by whoever presses the red button', async ({
    assert,
    cleanup,
  }) => {
    const { admin, store, path, work, id } = await rollingOut(cleanup)
    const policy = { ladder: LADDER }
    assert.equal((await admin.put(`/app/${id}/rolloutPolicy`, { policy })).status, 200)
    for (let day = 0; day < 3; day++) await work(24 * 60)
    assert.deepEqual(store.changes, [])
    assert.equal(store.find('1.2.0')!.rollout?.fraction, 0.2)
    const pressed = await admin.put(`${path}/redButton`, { reason: 'It crashes' })
    assert.equal(pressed.status, 200, pressed.text)
    await work()
    assert.equal(store.find('1.2.0')!.rollout?.state, 'halted')
    assert.equal((await admin.get(`/app/${id}`)).body.liveVersion, '1.1.0')
  })

  test('one that rolls out is steered once its release is deleted and drafted by a person', async ({
    assert,
    cleanup,
  }) => {
    const { admin, id, path, work } = await rollingOut(cleanup)
    assert.equal((await admin.post(`/app/${id}/release`, { version: '1.2.0' })).status, 409)
    assert.equal((await admin.delete(path)).status, 204)
    assert.equal((await admin.post(`/app/${id}/release`, { version: '1.2.0' })).status, 201)
    assert.equal((await admin.put(`${path}/kickoff`)).status, 200)
    await work()
    const { body: steps } = await admin.get(`${path}/steps`)
    const statusOf = (type: string) =>
      steps.find((each: { type: string }) => each.type === type).status
    assert.deepEqual([statusOf('takeoff'), statusOf('rollout')], ['complete', 'inProgress'])
  })
})

/** Returns an app for Android whose version 1.2.0 was with 20 % of users when it was connected. */
async function rollingOut(cleanup: TestContext['cleanup']) {
  const { world, withStore, ...given } = await makeHistoryInStore(cleanup, 'google')
  const { store } = given
  store.become('live', { version: '1.1.0', buildNumbers: ['41'] })
  store.become('rolledOutPartially', { version: '1.2.0', buildNumbers: ['42'] })
  store.rollout({ state: 'active', fraction: 0.2 }, { name: '1.2.0' })
  const { id } = await makeApp(world, `${BRANCHES}${STEPS}${withStore}`, 'android')
  await workAway()
  const work = (minutes?: number) => workThrough(world.organizationId, minutes)
  return { ...given, id, work, path: `/app/${id}/release/${id}:1.2.0` }
}
