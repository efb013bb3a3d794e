import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { storeWorld, tidy } from './support.js'

test.group('Polls of stores', (group) => {
  group.each.teardown(tidy)

  test('a version at Apple goes through all states, and each event is sent once, causes first', async ({
    assert,
  }) => {
    const { store, work, reported, release, statuses, run } = await storeWorld()
    await reported()
    store.upload('4711')
    await work()
    assert.deepEqual(await reported(), ['appStoreBuild.newBuildAvailable', 'submission inProgress'])
    assert.equal((await release()).selectedBuild.buildNumber, '4711')
    await work()
    assert.deepEqual(await reported(), [])
    store.become('waitingForReview', { buildNumbers: ['4711'], submissionId: 'S9' })
    await work()
    assert.deepEqual(await reported(), [
      'appStoreVersion.statusUpdated',
      'release.submitted',
      'submission complete',
      'storeReview inProgress',
    ])
    const submitted = await release()
    assert.deepEqual([submitted.phase, submitted.submittedAt !== null], ['submitted', true])
    assert.containsSubset(submitted.appStoreVersions, [
      { type: 'apple', version: '1.4.0', apple: { appStoreState: 'WAITING_FOR_REVIEW' } },
    ])
    const { data } = await run('submission')
    assert.deepEqual([data.submissionId, data.submittedAt], ['S9', submitted.submittedAt])
    store.become('inReview')
    await work()
    assert.deepEqual(await reported(), ['appStoreVersion.statusUpdated'])
    assert.equal((await release()).phase, 'inReview')
    store.become('pendingRelease')
    await work()
    const approved = await reported()
    assert.deepEqual(approved, [
      'appStoreVersion.statusUpdated',
      'storeReview complete',
      'takeoff inProgress',
    ])
    store.rollout({ state: 'active', day: 1 })
    store.become('live')
    await work()
    assert.deepEqual(await reported(), [
      'appStoreVersion.statusUpdated',
      'appStoreVersion.phasedReleaseUpdated',
      'release.released',
      'takeoff complete',
      'rollout inProgress',
    ])
    assert.deepEqual((await release()).phase, 'rollingOut')
    store.rollout({ state: 'paused', day: 2 })
    await work()
    assert.deepEqual(await reported(), ['appStoreVersion.phasedReleaseUpdated', 'rollout blocked'])
    const rollout = await run('rollout')
    assert.containsSubset(rollout.data.phased, { status: 'paused', percentage: 2, day: 2 })
    store.rollout({ state: 'complete', day: 7 })
    await work()
    assert.include(await reported(), 'rollout complete')
    const over = await release()
    assert.deepEqual([over.status, over.phase], ['completed', 'released'])
    assert.equal((await statuses()).rollout, 'complete')
    // The store is no longer polled often until the next release begins.
    await work()
    const polls = db.from('jobs').whereIn('kind', ['store.versions', 'store.builds'])
    assert.isEmpty(await polls.whereNull('finished_at'))
  })

  test('a release is ready to release once all required steps are done and the store has approved it', async ({
    assert,
  }) => {
    const { store, work, reported, admin, path } = await storeWorld('apple', [
      'kickoff',
      'submission',
      'storeReview',
      'takeoff',
    ])
    // The initial state of a store is not a change.
    await work()
    await reported()
    store.become('waitingForReview')
    await work()
    store.become('pendingRelease')
    await work()
    assert.deepEqual((await reported()).slice(-4), [
      'appStoreVersion.statusUpdated',
      'storeReview complete',
      'takeoff inProgress',
      'release.stepsReadyToRelease',
    ])
    const { body } = await admin.get(`${path}/timelineEvents`)
    const adopted = body.data.find(({ type }: { type: string }) => type === 'store.adopted')
    assert.match(adopted.title, /was submitted outside of Tarmac/)
  })

  test('an approved version on Google Play is ready to release without an event', async ({
    assert,
  }) => {
    const { store, work, reported, release } = await storeWorld('google', [
      'kickoff',
      'submission',
      'storeReview',
      'takeoff',
    ])
    store.become('inReview')
    await work()
    assert.equal((await release()).phase, 'inReview')
    await reported()
    store.become('pendingRelease', { raw: 'APPROVED_NOT_PUBLISHED' })
    await work()
    const { phase, readyToRelease } = await release()
    assert.deepEqual([phase, readyToRelease], ['readyToRelease', true])
    assert.notInclude(await reported(), 'release.stepsReadyToRelease')
  })

  test('a rejection says what was rejected, in the words of the store', async ({ assert }) => {
    const { store, work, admin, path } = await storeWorld('apple', [
      'kickoff',
      'submission',
      'storeReview',
    ])
    const why = async () => {
      await work()
      const { body } = await admin.get(`${path}/whyNotMoving`)
      const of = ({ code }: { code: string }) => code === 'review_rejected'
      const step = body.steps.find(({ type }: { type: string }) => type === 'storeReview')
      const [{ message }] = body.release.filter(of)
      assert.equal(step.unmet.find(of).message, message)
      return message
    }
    store.become('rejected')
    assert.match(await why(), /^The store rejected the release; .* reports REJECTED,/)
    store.become('metadataRejected')
    assert.match(
      await why(),
      /texts or images of the release, but not its build; .* METADATA_REJECTED/
    )
  })

  test('Google Play reports tracks and fractions, and no release.released is sent', async ({
    assert,
  }) => {
    const { store, work, reported, release } = await storeWorld('google')
    store.upload('41')
    store.become('inReview', {
      buildNumbers: ['41'],
      name: '1.4.0 (41)',
      review: { state: 'inReview', raw: 'IN_REVIEW', beganAt: '', observedAt: '', lagSeconds: 0 },
    })
    await work()
    await reported()
    store.rollout({ state: 'active', fraction: 0.05 })
    store.become('rolledOutPartially', {
      review: { state: 'approved', raw: 'PUBLISHED', beganAt: '', observedAt: '', lagSeconds: 0 },
    })
    await work()
    assert.notInclude(await reported(), 'release.released')
    const shown = await release()
    assert.equal(shown.phase, 'rollingOut')
    assert.deepEqual(shown.appStoreVersions[0].google, {
      track: 'production',
      versionState: { status: 'inProgress', versionCodes: ['41'], releaseName: '1.4.0 (41)' },
      stagedRollout: { status: 'inProgress', userFraction: 0.05, percentage: 5 },
      inAppUpdatePriority: null,
      reviewStatus: 'approved',
    })
    store.rollout({ state: 'halted', fraction: 0.05 })
    store.become('halted')
    await work()
    assert.include(await reported(), 'rollout blocked')
    store.rollout({ state: 'complete' })
    store.become('live')
    await work()
    assert.equal((await release()).status, 'completed')
  })

  test('an unknown state is shown, and changes nothing', async ({ assert }) => {
    const { store, work, reported, release, statuses } = await storeWorld()
    store.become('inReview')
    await work()
    await reported()
    const [before, stood] = [await release(), await statuses()]
    store.become('unknown', { raw: 'QUANTUM_REVIEW' })
    await work()
    const after = await release()
    assert.deepEqual(await reported(), ['appStoreVersion.statusUpdated'])
    assert.equal(after.appStoreVersions[0].apple.appStoreState, 'QUANTUM_REVIEW')
    assert.deepEqual(await statuses(), stood)
    assert.deepEqual(
      [after.phase, after.submittedAt, after.approvedAt],
      [before.phase, before.submittedAt, before.approvedAt]
    )
  })

  test('an app without a release under way is not polled', async ({ assert }) => {
    const { world, admin, path, store, work } = await storeWorld()
    const planned = () =>
      db
        .from('jobs')
        .where('organization_id', world.organizationId)
        .whereLike('kind', 'store.%')
        .whereNull('finished_at')
    assert.lengthOf(await planned(), 3)
    await admin.put(`${path}/skip`, {})
    await work()
    assert.isEmpty(await planned())
    store.become('live')
    await admin.put(`${path}/unskip`)
    assert.lengthOf(await planned(), 3)
  })

  test('versions of other tracks or without a release are ignored', async ({ assert }) => {
    const { store, work, release } = await storeWorld('google')
    store.become('live', { track: 'beta' })
    await work()
    assert.isEmpty((await release()).appStoreVersions)
  })
})
