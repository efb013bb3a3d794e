import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { liveVersion, withAll } from '#rollouts/tests/with_all'
import { storeWorld, tidy, type StoreWorld } from './support.js'

/*
 * A version that all users have no longer moves, but a person can still change it in the console:
 * its store is polled once a day.
 */

const HOUR = 3_600_000

/** Returns the polls of a store except for reviews, with the hours until the next one. */
async function polls({ world }: StoreWorld): Promise<Record<string, number>> {
  const rows = await db
    .from('jobs')
    .where({ organization_id: world.organizationId, nature: 'observation' })
    .whereLike('kind', 'store.%')
    .whereNot('kind', 'store.reviews')
    .whereNull('finished_at')
  return Object.fromEntries(
    rows.map(({ kind, visible_at: at }) => [kind, Math.round((Date.parse(at) - Date.now()) / HOUR)])
  )
}

/** Counts the versions that the store lists. */
function countLists({ store }: StoreWorld): () => number {
  let lists = 0
  const listed = store.listed.bind(store)
  store.listed = (version) => {
    lists++
    return listed(version)
  }
  return () => lists
}

test.group('A version that all users have', (group) => {
  group.each.teardown(tidy)

  test('has its store polled once a day, by one list', async ({ assert }) => {
    const given = await withAll()
    const { store, work } = given
    store.versions.splice(0, store.versions.length, store.find('1.4.0')!)
    await work()
    assert.deepEqual(await polls(given), { 'store.liveVersions': 24 })
    const lists = countLists(given)
    await work()
    assert.equal(lists(), 1)
    assert.deepEqual(await polls(given), { 'store.liveVersions': 24 })
  })

  test('is polled often again once it is halted in the console', async ({ assert }) => {
    const given = await withAll()
    const { store, work, run, admin, path } = given
    await work()
    store.become('halted', { version: '1.4.0' })
    store.rollout({ state: 'halted' })
    await work()
    assert.containSubset((await run('rollout')).data.phased, { status: 'halted', percentage: 100 })
    assert.equal(await liveVersion(given), '1.3.0')
    const { body } = await admin.get(`${path}/timelineEvents?type=store.adopted`)
    assert.match(body.data[0].title, /^1\.4\.0 had its rollout halted outside of Tarmac/)
    assert.deepEqual(await polls(given), { 'store.versions': 0 })
  })

  test('has its store polled often again once the next release is under way', async ({
    assert,
  }) => {
    const given = await withAll()
    const { admin, appId, work } = given
    await work()
    await admin.post(`/app/${appId}/release`, { version: '1.5.0' })
    await admin.put(`/app/${appId}/release/${appId}:1.5.0/kickoff`)
    assert.sameMembers(Object.keys(await polls(given)), [
      'store.versions',
      'store.builds',
      'store.betaBuilds',
    ])
    await admin.put(`/app/${appId}/release/${appId}:1.5.0/skip`)
    await work()
    assert.deepEqual(await polls(given), { 'store.liveVersions': 24 })
  })

  test('has its store no longer polled after it was removed from sale', async ({ assert }) => {
    const given = await storeWorld('apple', ['kickoff', 'submission', 'takeoff', 'rollout'])
    const { store, work } = given
    store.become('live')
    await work()
    await work()
    assert.deepEqual(await polls(given), { 'store.liveVersions': 24 })
    store.become('removed')
    await work()
    assert.deepEqual(await polls(given), {})
  })
})
