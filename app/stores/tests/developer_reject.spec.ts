import { test } from '@japa/runner'
import { readyWorld, tidy } from './support.js'

test.group('PUT …/developerRejectSubmission', (group) => {
  group.each.teardown(tidy)

  test('200 withdraws it from review; it counts once the store shows it', async ({ assert }) => {
    const { store, admin, path, work, reported, release, statuses } = await readyWorld()
    const early = await admin.put(`${path}/developerRejectSubmission`)
    assert.deepEqual([early.status, early.body.code], [409, 'not_in_review'])
    await admin.put(`${path}/submit`, {})
    const busy = await admin.put(`${path}/developerRejectSubmission`)
    assert.deepEqual([busy.status, busy.body.code], [409, 'store_busy'])
    await work()
    await reported()
    const { status } = await admin.put(`${path}/developerRejectSubmission`)
    assert.equal(status, 200)
    assert.equal((await release()).phase, 'submitted')
    const { body: why } = await admin.get(`${path}/whyNotMoving`)
    const pending = why.next.map(({ message }: { message: string }) => message).join('\n')
    assert.match(pending, /1\.4\.0 is being withdrawn from review, as admin decided/)
    await work()
    assert.deepEqual(await reported(), [
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
    assert.include(await reported(), 'release.submitted')
  })

  test('409 after it went out to users; Google Play turns it into a draft', async ({ assert }) => {
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
    const early = await google.admin.put(`${google.path}/developerRejectSubmission`)
    assert.equal(early.status, 200)
    await google.work()
    assert.equal(google.store.find('1.4.0')!.status.raw, 'draft')
    const again = await google.admin.put(`${google.path}/developerRejectSubmission`)
    assert.deepEqual([again.status, again.body.code], [409, 'not_in_review'])
  })

  test('an approved version can be withdrawn from the App Store, not from Google Play', async ({
    assert,
  }) => {
    for (const type of ['apple', 'google'] as const) {
      const { admin, path, store, work } = await readyWorld(type)
      await admin.put(`${path}/submit`, {})
      await work()
      store.become('pendingRelease')
      await work()
      const { status, body } = await admin.put(`${path}/developerRejectSubmission`)
      if (type === 'apple') assert.equal(status, 200)
      else {
        assert.deepEqual([status, body.code], [409, 'not_in_review'])
        assert.include(body.allowedActions, 'takeOff')
        assert.notInclude(body.allowedActions, 'developerReject')
        const again = await admin.put(`${path}/submit`, {})
        assert.deepEqual([again.status, again.body.code], [409, 'release_submitted'])
        assert.match(again.body.detail, /It is approved: .* need another release/)
      }
      await work()
      assert.equal(store.changes.includes('cancelReview'), type === 'apple')
      await tidy()
    }
  })

  test('another release on Google Play reports that its review begins again, and why', async ({
    assert,
  }) => {
    const { admin, appId, path, store, work } = await readyWorld('google')
    const other = `/app/${appId}/release/${appId}:1.5.0`
    await admin.post(`/app/${appId}/release`, { version: '1.5.0' })
    await admin.put(`${other}/kickoff`)
    await admin.put(`${path}/submit`, {})
    await work()
    store.become('inReview', { version: '1.5.0', buildNumbers: ['4712'] })
    await work()
    const reported = async () =>
      (await admin.get(`${other}/timelineEvents?type=store.reviewRestarted`)).body.data
    assert.equal((await admin.put(`${path}/developerRejectSubmission`)).status, 200)
    assert.isEmpty(await reported(), 'It is not done yet')
    for (let turn = 0; turn < 3; turn++) await work()
    const [entry, ...more] = await reported()
    assert.isEmpty(more)
    assert.match(
      entry.title,
      /reviews 1\.5\.0 from the beginning: 1\.4\.0 was withdrawn from review/
    )
  })

  test('withdraws from the stores of a run’s step only; 403 and 404', async ({ assert }) => {
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
