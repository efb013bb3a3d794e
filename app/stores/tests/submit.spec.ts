import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { DEFAULT_APP_STORE_RELEASE_SETTINGS } from '#apps/settings'
import { makeWorld } from '#tests/support/world'
import { refusal } from './memory_store.js'
import { readyWorld, storeWorld, tidy } from './support.js'

test.group('PUT …/release/{releaseId}/submit', (group) => {
  group.each.teardown(tidy)

  test('200 prepares, writes and submits once; it counts as submitted once the store shows it', async ({
    assert,
  }) => {
    const { store, admin, path, work, reported, release, run } = await readyWorld()
    const { status, body } = await admin.put(`${path}/submit`, {})
    assert.deepEqual([status, body.phase, body.submittedAt], [200, 'readyToSubmit', null])
    assert.isEmpty(store.changes)
    const { body: why } = await admin.get(`${path}/whyNotMoving`)
    const submission = why.steps.find(({ type }: { type: string }) => type === 'submission')
    assert.deepEqual(
      submission.unmet.map(({ code }: { code: string }) => code),
      ['submission_running']
    )
    await work()
    assert.deepEqual(store.changes, ['prepare 1.4.0 with 4711', 'setMetadata', 'submit'])
    assert.deepEqual(store.texts.get('V1'), [{ locale: 'en-US', whatsNew: 'Faster' }])
    const after = await release()
    assert.equal(after.phase, 'submitted')
    assert.isNotNull(after.submittedAt)
    assert.deepEqual(await reported(), [
      'appStoreVersion.statusUpdated',
      'appStoreVersion.statusUpdated',
      'release.submitted',
      'submission complete',
      'storeReview inProgress',
    ])
    assert.equal((await run('submission')).data.selectedBuilds[0].buildNumber, '4711')
    await work()
    assert.lengthOf(store.changes, 3)
    const again = await admin.put(`${path}/submit`, {})
    assert.deepEqual([again.status, again.body.code], [409, 'release_submitted'])
  })

  test('200 sends Google Play the update priority of the release, or else that of the app', async ({
    assert,
  }) => {
    const given = await readyWorld('google')
    const { store, admin, path, work, release, appId } = given
    const prepared: (number | undefined)[] = []
    const prepare = store.prepare.bind(store)
    store.prepare = (input) => {
      prepared.push(input.inAppUpdatePriority)
      return prepare(input)
    }
    const submit = async () => {
      assert.equal((await admin.put(`${path}/submit`, {})).status, 200)
      await work()
      store.become('rejected')
      await work()
    }
    await submit()
    const settings = { ...DEFAULT_APP_STORE_RELEASE_SETTINGS, inAppUpdatePriority: 2 }
    await db
      .from('store_plans')
      .where({ app_id: appId })
      .update({ settings: JSON.stringify(settings) })
    await submit()
    assert.equal((await admin.put(path, { inAppUpdatePriority: 5 })).body.inAppUpdatePriority, 5)
    await submit()
    assert.deepEqual(prepared, [undefined, 2, 5])
    assert.equal((await release()).inAppUpdatePriority, 5)
  })

  test('a store that does not find its new version at once is called again, and nobody is notified', async ({
    assert,
  }) => {
    const { store, admin, path, work, release, statuses } = await readyWorld()
    const prepare = store.prepare.bind(store)
    store.prepare = (input) => {
      store.failures.push(refusal('notFound', 'There is no such version'))
      store.prepare = prepare
      return prepare(input)
    }
    await admin.put(`${path}/submit`, {})
    await work()
    assert.deepEqual(store.changes, ['prepare 1.4.0 with 4711'])
    assert.notEqual((await statuses()).submission, 'blocked')
    await work()
    assert.deepEqual(store.changes, ['prepare 1.4.0 with 4711', 'setMetadata', 'submit'])
    assert.equal((await release()).phase, 'submitted')
  })

  test('texts for Google Play use the common names', async ({ assert }) => {
    const { store, admin, path, work } = await readyWorld('google')
    await admin.put(`${path}/submit`, {})
    await work()
    assert.deepEqual(store.texts.get('V1'), [
      { locale: 'en-US', whatsNew: 'Faster', description: 'All' },
    ])
  })

  test('409 for the second of two concurrent requests, which changes nothing', async ({
    assert,
  }) => {
    const { store, admin, path, work } = await readyWorld()
    const results = await Promise.all([
      admin.put(`${path}/submit`, {}),
      admin.put(`${path}/submit`, {}),
    ])
    assert.sameMembers(
      results.map(({ status }) => status),
      [200, 409]
    )
    assert.equal(results.find(({ status }) => status === 409)!.body.code, 'store_busy')
    await work()
    assert.equal(store.changes.filter((each) => each === 'submit').length, 1)
  })

  test('409 lists the required steps that are missing, and submits if it is forced', async ({
    assert,
  }) => {
    const { store, admin, path, work, step } = await storeWorld()
    store.upload('4711')
    await work()
    const { status, body } = await admin.put(`${path}/submit`, {})
    assert.deepEqual([status, body.code], [409, 'steps_incomplete'])
    assert.equal(body.currentStatus, 'active')
    const { id, stepConfigId, name } = await step('metadata')
    assert.containsSubset(body.incompleteSteps, [{ stepId: id, stepConfigId, name }])
    assert.match(body.incompleteSteps[0].missing, /\w{3}/)
    await work()
    assert.isEmpty(store.changes)
    const forced = await admin.put(`${path}/submit`, { submitWithIncompleteSteps: true })
    assert.equal(forced.status, 200)
    await work()
    assert.deepEqual(store.changes, ['prepare 1.4.0 with 4711', 'submit'])
  })

  test('409 without a build, and with an expired one', async ({ assert }) => {
    const { store, admin, path, work, step } = await storeWorld()
    const none = await admin.put(`${path}/submit`, { force: true })
    assert.deepEqual([none.status, none.body.code], [409, 'no_build_selected'])
    store.upload('1')
    await work()
    const { stepRunId } = await step('submission')
    const { body } = await admin.get(`${path}/stepRun/${stepRunId}`)
    const builds = [{ appStoreBuildId: body.data.selectedBuilds[0].id }]
    await admin.put(`${path}/stepRun/${stepRunId}/selectedBuilds`, { builds })
    store.builds[0].status = {
      state: 'expired',
      raw: 'VALID',
      beganAt: '',
      observedAt: '',
      lagSeconds: 0,
    }
    await work()
    const expired = await admin.put(`${path}/submit`, { force: true })
    assert.deepEqual([expired.status, expired.body.code], [409, 'build_unusable'])
    await work()
    assert.isEmpty(store.changes)
  })

  test('a refusal of the store is recorded, and the request can be repeated', async ({
    assert,
  }) => {
    const { store, admin, path, work, release, step } = await readyWorld()
    store.failures.push(refusal('invalid', 'The binary lacks an icon'))
    await admin.put(`${path}/submit`, {})
    await work()
    assert.isNull((await release()).submittedAt)
    const { body } = await admin.get(`${path}/whyNotMoving`)
    const submission = body.steps.find(({ type }: { type: string }) => type === 'submission')
    assert.equal(submission.unmet[0].code, 'submission_failed')
    assert.match(submission.unmet[0].message, /^The store refused the submission: .*lacks an icon/)
    assert.deepEqual(
      body.release.map(({ code }: { code: string }) => code),
      ['submission_failed']
    )
    assert.match(body.release[0].message, /lacks an icon/)
    const { body: timeline } = await admin.get(`${path}/timelineEvents`)
    const failed = timeline.data.find(({ type }: { type: string }) => type === 'store.failed')
    assert.match(failed.title, /lacks an icon/)
    assert.equal((await step('submission')).status, 'inProgress')
    assert.equal((await admin.put(`${path}/submit`, {})).status, 200)
    await work()
    assert.equal((await release()).phase, 'submitted')
  })

  test('a store that was unavailable is not reported as a refusal', async ({ assert }) => {
    const { store, admin, path, work } = await readyWorld()
    const away = () => refusal('unavailable', 'The service is down')
    store.failures.push(...Array.from({ length: 7 }, away))
    await admin.put(`${path}/submit`, {})
    for (let turn = 0; turn < 10; turn++) await work(70)
    const { body } = await admin.get(`${path}/whyNotMoving`)
    const [{ code, message }] = body.release
    assert.equal(code, 'submission_failed')
    assert.match(message, /^The store could not be reached for the submission: .*service is down/)
    assert.equal((await admin.put(`${path}/submit`, {})).status, 200)
    await work()
    assert.isTrue(store.changes.includes('submit'))
  })

  test('a refused resubmission is recorded, and does not count as submitted', async ({
    assert,
  }) => {
    const { store, admin, path, work, release, statuses } = await readyWorld()
    await admin.put(`${path}/submit`, {})
    await work()
    store.become('rejected')
    await work()
    store.failures.push(refusal('invalid', 'The binary lacks an icon'))
    await admin.put(`${path}/submit`, {})
    await work()
    const { submission, storeReview } = await statuses()
    assert.deepEqual([submission, storeReview], ['inProgress', 'blocked'])
    const { body } = await admin.get(`${path}/whyNotMoving`)
    assert.deepEqual(
      body.release.map(({ code }: { code: string }) => code),
      ['submission_failed', 'review_rejected']
    )
    assert.equal((await release()).phase, 'rejected')
    assert.equal((await admin.put(`${path}/submit`, {})).status, 200)
    await work()
    const after = await release()
    assert.deepEqual([after.phase, after.storePlans[0].standing], ['submitted', 'agreed'])
  })

  test('a refused takeoff is recorded', async ({ assert }) => {
    const { store, admin, path, work, step } = await readyWorld()
    await admin.put(`${path}/submit`, {})
    await work()
    store.become('pendingRelease')
    await work()
    store.failures.push(refusal('invalid', 'An agreement is missing'))
    await admin.put(`${path}/takeoff`)
    await work()
    const { body } = await admin.get(`${path}/whyNotMoving`)
    const takeoff = body.steps.find(({ type }: { type: string }) => type === 'takeoff')
    assert.match(
      takeoff.unmet[0].message,
      /request to release it failed: .*An agreement is missing/
    )
    await admin.put(`${path}/takeoff`)
    await work()
    assert.equal((await step('takeoff')).status, 'complete')
  })

  test('a resubmission begins other runs of the steps, and is recorded as submitted again', async ({
    assert,
  }) => {
    const { store, admin, path, work, reported, run, release, statuses } = await readyWorld()
    await admin.put(`${path}/submit`, {})
    await work()
    store.become('rejected')
    await work()
    assert.equal((await release()).phase, 'rejected')
    assert.equal((await statuses()).storeReview, 'blocked')
    await reported()
    const { status } = await admin.put(`${path}/submit`, {})
    assert.equal(status, 200)
    assert.equal((await run('submission')).attempt, 2)
    assert.equal((await run('storeReview')).attempt, 2)
    assert.notEqual((await release()).phase, 'rejected')
    await reported()
    await work()
    const events = await reported()
    assert.include(events, 'release.submitted')
    assert.equal(events.filter((each) => each === 'release.submitted').length, 1)
    assert.equal((await release()).phase, 'submitted')
  })

  test('a submission of another build in the console raises a question', async ({ assert }) => {
    const { store, admin, path, work, release } = await readyWorld()
    store.upload('4700', '1.4.0', { uploadedAt: '2026-01-01T00:00:00.000Z' })
    await admin.put(`${path}/submit`, {})
    store.become('waitingForReview', { buildNumbers: ['4700'], buildId: 'B4700' })
    await work()
    assert.isEmpty(store.changes)
    const { body } = await admin.get(`${path}/timelineEvents`)
    const types = body.data.map(({ type }: { type: string }) => type)
    assert.include(types, 'store.question')
    const shown = await release()
    assert.equal(shown.storePlans[0].question.about, 'submission')
    assert.match(shown.storePlans[0].question.message, /4700/)
  })

  test('the texts are locked from the call until a rejection', async ({ assert }) => {
    const { store, admin, path, work, step } = await readyWorld()
    const { stepRunId } = await step('metadata')
    const write = (whatsNew: string) =>
      admin.put(`${path}/stepRun/${stepRunId}/metadata`, {
        localizations: [{ locale: 'en-US', whatsNew }],
      })
    await admin.put(`${path}/submit`, {})
    assert.equal((await write('Later')).status, 409)
    await work()
    assert.equal((await write('Later')).status, 409)
    store.become('metadataRejected')
    await work()
    assert.equal((await write('Better')).status, 200)
  })

  test('403, 404, and 409 for a release that is not kicked off, has ended, or has no store', async ({
    assert,
  }) => {
    const { world, admin, appId, path } = await readyWorld()
    const reader = await world.keyed({ name: 'reader' })
    assert.equal((await reader.put(`${path}/submit`, {})).status, 403)
    const other = await makeWorld()
    assert.equal((await other.admin.put(`${path}/submit`, {})).status, 404)
    assert.equal((await admin.put(`${path}9/submit`, {})).status, 404)
    const release = `/app/${appId}/release/${appId}`
    await admin.post(`/app/${appId}/release`, { version: '1.5.0' })
    const early = await admin.put(`${release}:1.5.0/submit`, {})
    assert.deepEqual([early.status, early.body.code], [409, 'release_not_kicked_off'])
    await admin.put(`${path}/skip`, {})
    const skipped = await admin.put(`${path}/submit`, {})
    assert.deepEqual([skipped.status, skipped.body.code], [409, 'release_skipped'])
    await db.from('integrations').where({ app_id: appId, kind: 'appStore' }).delete()
    const none = await admin.put(`${release}:1.5.0/submit`, {})
    assert.deepEqual([none.status, none.body.code], [409, 'integration_missing'])
    const wrong = await admin.put(`${path}/submit`, { force: 'very' })
    assert.equal(wrong.status, 422)
  })
})

test.group('PUT …/step/{stepRunId}/submit', (group) => {
  group.each.teardown(tidy)

  test('200 submits the stores of the step; 409 for another step or an old run', async ({
    assert,
  }) => {
    const { store, admin, path, work, step, release } = await readyWorld()
    const { stepRunId } = await step('submission')
    const wrong = await admin.put(`${path}/step/${(await step('metadata')).stepRunId}/submit`, {})
    assert.deepEqual([wrong.status, wrong.body.code], [409, 'step_type_mismatch'])
    assert.equal((await admin.put(`${path}/step/run_nowhere/submit`, {})).status, 404)
    const { status, body } = await admin.put(`${path}/step/${stepRunId}/submit`, {})
    assert.deepEqual([status, body.id, body.status], [200, stepRunId, 'inProgress'])
    await work()
    assert.equal((await release()).phase, 'submitted')
    store.become('rejected')
    await work()
    const again = await admin.put(`${path}/step/${stepRunId}/submit`, {})
    assert.equal(again.status, 200)
    const old = await admin.put(`${path}/step/${stepRunId}/submit`, {})
    assert.deepEqual([old.status, old.body.code], [409, 'step_run_superseded'])
  })
})
