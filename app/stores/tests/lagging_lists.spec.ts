import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { isLagging } from '../derive/lagging.js'
import { readyWorld, tidy, type StoreWorld } from './support.js'

const AT = '2026-11-20T12:00:00.000Z'
const SOON = '2026-11-20T13:59:59.000Z'
const LATE = '2026-11-20T14:00:00.000Z'

const look = (state: string, rollout: object | null = null, at = SOON) =>
  ({ at, state, rollout }) as never
const growing = (percentage: number, state = 'active') =>
  look('rolledOutPartially', { state, percentage })
const wish = (what: 'submitted' | 'withdrawn' | 'released', is: 'done' | 'underWay' = 'done') => ({
  wanted: { what, is, doneAt: AT },
  rollout: null,
})
const rollout = (saw: object | null) => ({
  wanted: null,
  rollout: {
    to: { action: 'set', percentage: 10 } as const,
    is: 'done' as const,
    doneAt: AT,
    saw: saw as never,
  },
})

test.group('a look at what a store showed before', () => {
  test('is told by what is wanted and came, for two hours', ({ assert }) => {
    const [known, old] = [look('inReview'), look('preparing')]
    assert.isTrue(isLagging(wish('submitted'), known, old))
    assert.isTrue(isLagging(wish('withdrawn'), look('developerRejected'), look('inReview')))
    assert.isTrue(isLagging(wish('released'), look('live'), look('pendingRelease')))
    assert.isFalse(isLagging(wish('submitted'), known, look('preparing', null, LATE)))
    assert.isFalse(isLagging(wish('submitted', 'underWay'), known, old))
    assert.isFalse(isLagging(wish('submitted'), null, old))
    assert.isFalse(isLagging({ wanted: null, rollout: null }, known, old))
  })

  test('is the verdict that was there when it was asked for once more, for ten minutes', ({
    assert,
  }) => {
    const again = { ...wish('submitted'), wanted: { ...wish('submitted').wanted, saw: 'rejected' } }
    const [known, early] = [look('inReview'), '2026-11-20T12:09:59.000Z']
    assert.isTrue(isLagging(again, known, look('rejected', null, early)))
    assert.isFalse(isLagging(again, known, look('rejected', null, '2026-11-20T12:10:00.000Z')))
    assert.isFalse(isLagging(again, known, look('metadataRejected', null, early)))
    assert.isFalse(isLagging(wish('submitted'), known, look('rejected', null, early)))
  })

  test('is not what a store decides after it', ({ assert }) => {
    const known = look('inReview')
    for (const state of [
      'rejected',
      'metadataRejected',
      'developerRejected',
      'pendingRelease',
      'live',
    ]) {
      assert.isFalse(isLagging(wish('submitted'), known, look(state)), state)
    }
  })

  test('is a rollout as it stood, and never one that stands still', ({ assert }) => {
    const before = { state: 'active', percentage: 5 }
    assert.isTrue(isLagging(rollout(before), growing(10), growing(5)))
    assert.isFalse(isLagging(rollout(before), growing(10), growing(20)))
    assert.isFalse(isLagging(rollout(before), growing(10), growing(5, 'halted')))
    const halted = { state: 'halted', percentage: 10 }
    assert.isFalse(isLagging(rollout(halted), growing(10), growing(10, 'halted')))
  })
})

/** What is wanted of the store was confirmed so long ago. */
async function confirmedAt({ world }: StoreWorld, doneAt: string) {
  const row = await db
    .from('store_plans')
    .where('organization_id', world.organizationId)
    .firstOrFail()
  const wanted = JSON.stringify({ ...JSON.parse(row.wanted), doneAt })
  await db.from('store_plans').where('id', row.id).update({ wanted })
}

test.group('a list that lags behind a submission', (group) => {
  group.each.teardown(tidy)

  test('takes nothing back, until it has said so for two hours', async ({ assert }) => {
    const given = await readyWorld()
    const { store, work, admin, path, release, told } = given
    assert.equal((await admin.put(`${path}/submit`, {})).status, 200)
    await work()
    assert.equal((await release()).phase, 'submitted')
    await told()

    store.hideOnce('preparing')
    await work()
    assert.equal((await release()).phase, 'submitted')
    assert.deepEqual(await told(), [])
    assert.equal((await admin.put(`${path}/submit`, {})).status, 409)
    assert.equal(store.changes.filter((each) => each === 'submit').length, 1)

    await confirmedAt(given, '2026-11-20T09:00:00.000Z')
    store.hideOnce('preparing')
    await work()
    assert.include(await told(), 'appStoreVersion.statusUpdated')
  })
})

test.group('a list that lags behind a resubmission', (group) => {
  group.each.teardown(tidy)

  test('rejects nothing once more, until it has said so for ten minutes', async ({ assert }) => {
    const given = await readyWorld()
    const { store, work, admin, path, release, told } = given
    await admin.put(`${path}/submit`, {})
    await work()
    store.become('rejected')
    await work()
    assert.equal((await admin.put(`${path}/submit`, {})).status, 200)
    await work()
    assert.equal((await release()).phase, 'submitted')
    await told()

    store.hideOnce('rejected')
    await work()
    assert.equal((await release()).phase, 'submitted')
    assert.deepEqual(await told(), [])

    await confirmedAt(given, '2026-11-20T09:00:00.000Z')
    store.become('rejected')
    await work()
    assert.equal((await release()).phase, 'rejected')
  })
})

test.group('a stop soon after a rollout went on', (group) => {
  group.each.teardown(tidy)

  test('is sent though an old list shows it stopped', async ({ assert }) => {
    const given = await readyWorld('google')
    const { store, work, admin, path, release } = given
    await admin.put(`${path}/submit`, {})
    await work()
    store.rollout({ state: 'halted', fraction: 0.1 })
    store.become('halted')
    await work()
    const change = (body: object) => admin.put(`${path}/rollout`, body)
    assert.equal((await change({ action: 'resume' })).status, 200)
    await work()
    // The list that lags shows it as it was before.
    store.rollout({ state: 'halted', fraction: 0.1 })
    store.become('halted')
    await work()
    assert.equal((await change({ action: 'halt' })).status, 200)
    await work()
    const asked = store.changes.filter((each) => each.startsWith('setRollout'))
    assert.deepEqual(asked, ['setRollout resume', 'setRollout halt'])
    assert.equal((await release()).storePlans[0].rollout.is, 'done')
  })
})
