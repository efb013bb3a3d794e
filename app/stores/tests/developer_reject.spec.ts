import { test } from '@japa/runner'
import { readyWorld, tidy } from './support.js'

test.group('PUT …/developerRejectSubmission', (group) => {
  group.each.teardown(tidy)

  test('200 takes it out of review; the store’s word makes it so', async ({ assert }) => {
    const { store, admin, path, work, told, release, statuses } = await readyWorld()
    const early = await admin.put(`${path}/developerRejectSubmission`)
    assert.deepEqual([early.status, early.body.code], [409, 'not_in_review'])
    await admin.put(`${path}/submit`, {})
    const busy = await admin.put(`${path}/developerRejectSubmission`)
    assert.deepEqual([busy.status, busy.body.code], [409, 'store_busy'])
    await work()
    await told()
    const { status } = await admin.put(`${path}/developerRejectSubmission`)
    assert.equal(status, 200)
    assert.equal((await release()).phase, 'submitted')
    await work()
    assert.deepEqual(await told(), [
      'appStoreVersion.statusUpdated',
      'submission inProgress',
      'storeReview notStarted',
    ])
    const after = await release()
    assert.deepEqual([after.phase, after.submittedAt], ['readyToSubmit', null])
    assert.equal((await statuses()).submission, 'inProgress')
    assert.equal(store.find('1.4.0')!.status.state, 'developerRejected')
    assert.equal((await admin.put(`${path}/submit`, {})).status, 200)
    await work()
    assert.include(await told(), 'release.submitted')
  })

  test('409 after it went out to users, and on Google Play', async ({ assert }) => {
    const apple = await readyWorld()
    await apple.admin.put(`${apple.path}/submit`, {})
    await apple.work()
    apple.store.become('pendingRelease')
    await apple.work()
    apple.store.rollout({ state: 'active', day: 1 })
    apple.store.become('live')
    await apple.work()
    const late = await apple.admin.put(`${apple.path}/developerRejectSubmission`)
    assert.deepEqual([late.status, late.body.code], [409, 'not_in_review'])
    await tidy()
    const google = await readyWorld('google')
    await google.admin.put(`${google.path}/submit`, {})
    await google.work()
    const play = await google.admin.put(`${google.path}/developerRejectSubmission`)
    assert.deepEqual([play.status, play.body.code], [409, 'withdrawal_unsupported'])
  })

  test('of a run: its step’s stores; 403 and 404', async ({ assert }) => {
    const { world, admin, path, work, step } = await readyWorld()
    await admin.put(`${path}/submit`, {})
    await work()
    const { stepRunId } = await step('storeReview')
    const runPath = `${path}/stepRun/${stepRunId}/developerRejectSubmission`
    const reader = await world.keyed({ name: 'reader' })
    assert.equal((await reader.put(runPath)).status, 403)
    assert.equal((await reader.put(`${path}/developerRejectSubmission`)).status, 403)
    const nowhere = await admin.put(`${path}/stepRun/run_no/developerRejectSubmission`)
    assert.equal(nowhere.status, 404)
    const { status, body } = await admin.put(runPath)
    assert.deepEqual([status, body.id], [200, stepRunId])
    await work()
    assert.equal((await step('storeReview')).status, 'notStarted')
  })
})
