import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { followStores } from '#database/follow_stores'
import { guarded } from '#rollouts/tests/guarded'
import { asked, rollingOut } from '#rollouts/tests/support'
import { refusal } from '#stores/tests/memory_store'
import { tidy, type StoreWorld } from '#stores/tests/support'

const NEW_MEMBERS = ['lagSeconds', 'ofCall', 'waitsForSending']

/** Leaves what is known of stores as it was before there was a record of each. */
async function beforeRecords(): Promise<void> {
  await db.from('agenda_entries').whereLike('kind', 'store.%').delete()
  await db.from('store_watches').delete()
  await db.from('store_records').delete()
  for (const { id, seen, known } of await db.from('app_store_versions')) {
    const old = (text: string) =>
      JSON.stringify(JSON.parse(text), (name, value) =>
        NEW_MEMBERS.includes(name) ? undefined : value
      )
    const values = { seen: old(seen), known: old(known), past: '[]', is_over: false }
    await db.from('app_store_versions').where({ id }).update(values)
  }
  for (const { id, rollout } of await db.from('store_plans').whereNotNull('rollout')) {
    const numbered = JSON.stringify({ ...JSON.parse(rollout), generation: 0 })
    await db.from('store_plans').where({ id }).update({ rollout: numbered })
  }
}

const upgrade = async () => {
  await beforeRecords()
  await followStores(db.connection(), new Date(Date.now()))
}

const polls = ({ world }: StoreWorld) =>
  db
    .from('agenda_entries')
    .where({ kind: 'store.versions', organization_id: world.organizationId })
    .whereNull('finished_at')

const titles = async ({ admin, path }: StoreWorld) =>
  (await admin.get(`${path}/timelineEvents?limit=100`)).body.data.map(
    ({ title }: { title: string }) => title
  )

test.group('Stores from before there was a record of each', (group) => {
  // An upgrade is of all there is: what other tests left is none of it.
  group.each.setup(async () => {
    for (const table of ['app_store_versions', 'store_plans', 'rollouts']) {
      await db.from(table).delete()
    }
  })
  group.each.teardown(tidy)

  test('are asked for a stop that is under way, and people hear where none confirms it', async ({
    assert,
  }) => {
    const given = await rollingOut()
    const { admin, path, store, work } = given
    const away = (times: number) => {
      for (let each = 0; each < times; each++) store.failures.push(refusal('unavailable', 'Down'))
    }
    away(1)
    await admin.put(`${path}/redButton`)
    await work()
    assert.equal((await admin.put(`${path}/skip`, { force: true })).status, 200)
    assert.isEmpty(asked(given))
    await upgrade()
    away(3)
    for (let turn = 0; turn < 3; turn++) await work()
    assert.include((await titles(given)).join('\n'), 'is not confirmed as stopped yet: ')
    store.failures.length = 0
    for (let turn = 0; turn < 2; turn++) await work()
    assert.deepEqual(asked(given), ['setRollout halt'])
    assert.equal((await given.run('rollout')).data.phased.status, 'halted')
  })

  test('are polled while a version can still change, also of a release that is over', async ({
    assert,
  }) => {
    const given = await rollingOut()
    const { admin, path, store, work } = given
    assert.equal((await admin.put(`${path}/complete`, { force: true })).status, 200)
    await upgrade()
    store.rollout({ state: 'active', fraction: 0.5 })
    await work()
    assert.include((await titles(given)).join('\n'), 'is active at 50 %')
    assert.lengthOf(await polls(given), 1)
    store.rollout({ state: 'complete' })
    store.become('live')
    await work()
    assert.isEmpty(await polls(given))
  })

  test('have a version that crashes more stopped, also of a release that is over', async ({
    assert,
  }) => {
    const given = await guarded()
    const { admin, appId, path, turns, crash } = given
    await admin.put(`${path}/skip`, { force: true })
    await turns(1)
    await db.from('agenda_entries').whereLike('kind', 'rollout.%').delete()
    await db.from('rollouts').where('app_id', appId).update({ look_at: null, asked_since: null })
    crash()
    await turns(2)
    assert.isEmpty(asked(given))
    await followStores(db.connection(), new Date(Date.now()))
    await turns(6)
    assert.deepEqual(asked(given), ['setRollout halt'])
  })

  test('can be told to stop what was stopped before', async ({ assert }) => {
    const given = await rollingOut()
    const { admin, path, store, work } = given
    store.become('halted')
    store.rollout({ state: 'halted', fraction: 0.1 })
    await work()
    await upgrade()
    assert.equal((await admin.put(`${path}/redButton`)).status, 200)
    for (let turn = 0; turn < 2; turn++) await work()
    assert.isEmpty(asked(given))
    assert.equal((await given.release()).storePlans[0].standing, 'agreed')
  })

  test('are not asked for versions that are over', async ({ assert }) => {
    const given = await rollingOut('apple')
    given.store.become('replaced')
    await given.work()
    await upgrade()
    const row = await db.from('app_store_versions').where('app_id', given.appId).firstOrFail()
    assert.isTrue(Boolean(row.is_over))
    assert.isEmpty(await polls(given))
  })

  test('are asked at once where they are polled already', async ({ assert }) => {
    const given = await rollingOut()
    const at = '2099-01-01T00:00:00.000Z'
    await polls(given).update({ due_at: at, look_at: at })
    await followStores(db.connection(), new Date(Date.now()))
    const [{ look_at: soon }, ...others] = await polls(given)
    assert.isEmpty(others)
    assert.isBelow(Date.parse(soon), Date.parse(at))
  })
})
