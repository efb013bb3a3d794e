import { test } from '@japa/runner'
import { readyWorld, tidy } from './support.js'

test.group('a list that lags behind a submission', (group) => {
  group.each.teardown(tidy)

  test('does not undo it while the list may be older than the answer', async ({ assert }) => {
    const given = await readyWorld()
    const { store, work, admin, path, release, reported } = given
    assert.equal((await admin.put(`${path}/submit`, {})).status, 200)
    await work()
    assert.equal((await release()).phase, 'submitted')
    await reported()

    store.lagSeconds = 7200
    store.hideOnce('preparing')
    await work()
    assert.equal((await release()).phase, 'submitted')
    assert.deepEqual(await reported(), [])
    assert.equal((await admin.put(`${path}/submit`, {})).status, 409)
    assert.equal(store.changes.filter((each) => each === 'submit').length, 1)

    // A read without such a lag proves the state.
    store.lagSeconds = 0
    store.hideOnce('preparing')
    await work()
    assert.include(await reported(), 'appStoreVersion.statusUpdated')
  })
})

test.group('a list that lags behind a resubmission', (group) => {
  group.each.teardown(tidy)

  test('does not reject it again while the list may be older than the answer', async ({
    assert,
  }) => {
    const given = await readyWorld()
    const { store, work, admin, path, release, reported } = given
    await admin.put(`${path}/submit`, {})
    await work()
    store.become('rejected')
    await work()
    assert.equal((await admin.put(`${path}/submit`, {})).status, 200)
    await work()
    assert.equal((await release()).phase, 'submitted')
    await reported()

    store.lagSeconds = 7200
    store.hideOnce('rejected')
    await work()
    assert.equal((await release()).phase, 'submitted')
    assert.deepEqual(await reported(), [])

    store.lagSeconds = 0
    store.become('rejected')
    await work()
    assert.equal((await release()).phase, 'rejected')
  })
})

test.group('a stop soon after a rollout was resumed', (group) => {
  group.each.teardown(tidy)

  test('is sent although a lagging list shows the rollout stopped', async ({ assert }) => {
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
    store.lagSeconds = 7200
    // The lagging list shows the state before.
    store.rollout({ state: 'halted', fraction: 0.1 })
    store.become('halted')
    await work()
    assert.equal((await change({ action: 'halt' })).status, 200)
    await work()
    const requested = store.changes.filter((each) => each.startsWith('setRollout'))
    assert.deepEqual(requested, ['setRollout resume', 'setRollout halt'])
    assert.equal((await release()).storePlans[0].rollout.status, 'done')
  })
})
