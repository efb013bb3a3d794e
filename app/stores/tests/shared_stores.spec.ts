import { test } from '@japa/runner'
import { asked } from '#rollouts/tests/support'
import { storeWorld, tidy } from './support.js'
import { recordsOf, rollOut, sharedWorld } from './shared_store.js'

/*
 * Two apps of one package on Google Play share the store's record: each sees the decisions and
 * versions of the other.
 */

const codes = ({ body }: { body: { warnings?: { code: string }[] } }) =>
  (body.warnings ?? []).map(({ code }) => code)

const shownOf = ({ appStoreVersions: [{ google }] }: any): string => google.stagedRollout.status

test.group('Two apps of one package, a release of the same version in both', (group) => {
  group.each.teardown(tidy)

  for (const who of ['first', 'other'] as const) {
    test(`the red button of the ${who} app stops the version for both`, async ({ assert }) => {
      const given = await sharedWorld()
      const { admin, shared, first, other, turns } = given
      rollOut(shared, '1.4.0')
      await turns(3)
      assert.equal(await recordsOf(given), 1)
      for (const app of [first, other]) {
        const { appStoreVersions, phase } = await app.release()
        assert.deepEqual([appStoreVersions.length, phase], [1, 'rollingOut'], app.appId)
      }
      const { status } = await admin.put(`${given[who].path()}/redButton`, { reason: 'Crashes' })
      assert.equal(status, 200)
      await turns(4)
      assert.deepEqual(shared.changes, ['setRollout halt'])
      for (const app of [first, other]) {
        const [{ rollout }] = (await app.release()).storePlans
        assert.containSubset(rollout, { action: 'halt', status: 'done' }, app.appId)
        assert.isEmpty(await app.titles('store.adopted'), app.appId)
      }
    })
  }

  test('an increase by the other app is not taken for a change from outside', async ({
    assert,
  }) => {
    const { admin, shared, first, other, turns } = await sharedWorld()
    rollOut(shared, '1.4.0')
    await turns(3)
    const input = { action: 'set', percentage: 50 }
    assert.equal((await admin.put(`${other.path()}/rollout`, input)).status, 200)
    await turns(4)
    assert.deepEqual(shared.changes, ['setRollout 0.5'])
    for (const app of [first, other]) {
      assert.isEmpty(await app.titles('store.adopted'))
      const [{ google }] = (await app.release()).appStoreVersions
      assert.equal(google.stagedRollout.userFraction, 0.5, app.appId)
    }
  })

  test('a stop applies although the apps write the version differently', async ({ assert }) => {
    const given = await sharedWorld({ versions: ['1.4.0', '1.4'] })
    const { admin, shared, first, other, turns } = given
    rollOut(shared, '1.4.0')
    await turns(3)
    assert.equal((await admin.put(`${other.path('1.4')}/redButton`)).status, 200)
    await turns(4)
    assert.deepEqual(shared.changes, ['setRollout halt'])
    for (const release of [await first.release(), await other.release('1.4')]) {
      assert.equal(shownOf(release), 'halted')
    }
  })

  test('a release cannot be deleted while the other app changes its version', async ({
    assert,
  }) => {
    const { admin, shared, first, other, turns } = await sharedWorld()
    rollOut(shared, '1.4.0')
    await turns(3)
    await admin.put(`${first.path()}/rollout`, { action: 'set', percentage: 50 })
    for (const { path } of [first, other]) {
      const { status, body } = await admin.delete(path())
      assert.equal(status, 409)
      assert.include(['release_submitted', 'release_live'], body.code)
    }
    // After one app is removed, the other one can still stop the version.
    const removed = await admin.delete(`/app/${first.appId}/app/config?force=true`)
    assert.equal(removed.status, 204)
    assert.equal((await admin.put(`${other.path()}/redButton`)).status, 200)
    await turns(4)
    assert.equal(shared.changes.at(-1), 'setRollout halt')
    assert.equal(shownOf(await other.release()), 'halted')
  })
})

test.group('Two apps of one package, each with versions of its own', (group) => {
  group.each.teardown(tidy)

  test('a halt serves the version of the other app again', async ({ assert }) => {
    const { admin, shared, first, other, turns } = await sharedWorld({
      versions: ['1.4.0', '1.3.0'],
    })
    shared.become('live', { version: '1.3.0', buildNumbers: ['4700'] })
    await turns(2)
    shared.become('live', { version: '1.4.0', buildNumbers: ['4711'] })
    shared.rollout({ state: 'complete' })
    await turns(2)
    const pressed = await admin.put(`${first.path()}/redButton`)
    assert.equal(pressed.status, 200)
    const warning = pressed.body.warnings.find(
      ({ code }: { code: string }) => code === 'served_before'
    )
    assert.match(warning.message, /offers 1\.3\.0 to users again/)
    await turns(3)
    assert.deepEqual(shared.changes, ['setRollout halt'])
    assert.equal((await other.release('1.3.0')).status, 'completed')
  })

  test('a version is replaced by one of the other app', async ({ assert }) => {
    const { admin, shared, first, turns } = await sharedWorld({ versions: ['1.4.0', '1.5.0'] })
    rollOut(shared, '1.4.0')
    await turns(2)
    shared.become('live', { version: '1.5.0', buildNumbers: ['4800'] })
    await turns(4)
    const { status } = await first.release()
    assert.equal(status, 'completed')
    const { body: steps } = await admin.get(`${first.path()}/steps`)
    const { stepRunId } = steps.find(({ type }: { type: string }) => type === 'rollout')
    const { body: run } = await admin.get(`${first.path()}/stepRun/${stepRunId}`)
    assert.containSubset(run.data.phased, {
      status: 'replaced',
      percentage: 10,
      replacedBy: '1.5.0',
    })
  })

  test('a stop reports that a review of the other app begins again, before and after it', async ({
    assert,
  }) => {
    const { admin, shared, first, other, turns } = await sharedWorld({
      versions: ['1.4.0', '1.5.0'],
    })
    rollOut(shared, '1.4.0')
    shared.become('inReview', { version: '1.5.0', buildNumbers: ['4800'] })
    await turns(3)
    const pressed = await admin.put(`${first.path()}/redButton`)
    assert.equal(pressed.status, 200)
    assert.include(codes(pressed), 'review_restarts')
    await turns(4)
    assert.deepEqual(shared.changes, ['setRollout halt'])
    const [restarted] = await other.titles('store.reviewRestarted', '1.5.0')
    assert.match(
      restarted,
      /reviews 1\.5\.0 from the beginning: the rollout of 1\.4\.0 was stopped/
    )
  })

  test('an increase waits for a review of the other app', async ({ assert }) => {
    const { admin, shared, first, turns } = await sharedWorld({ versions: ['1.4.0', '1.5.0'] })
    rollOut(shared, '1.4.0')
    shared.become('inReview', { version: '1.5.0', buildNumbers: ['4800'] })
    await turns(3)
    const input = { action: 'set', percentage: 50 }
    assert.equal((await admin.put(`${first.path()}/rollout`, input)).status, 200)
    await turns(3)
    assert.isEmpty(shared.changes)
    shared.become('pendingRelease', { version: '1.5.0' })
    await turns(3)
    assert.deepEqual(shared.changes, ['setRollout 0.5'])
  })
})

test.group('Apps of one package for different form factors', (group) => {
  group.each.teardown(tidy)

  for (const [platform, track] of [
    ['wearos', 'wear:production'],
    ['androidtv', 'tv:production'],
  ] as const) {
    test(`${platform}: one record holds equal versions on two tracks separately`, async ({
      assert,
    }) => {
      const given = await sharedWorld({ platform })
      const { admin, shared, first, other, turns } = given
      rollOut(shared, '1.4.0')
      rollOut(shared, '1.4.0', { code: '9000', track })
      await turns(3)
      assert.equal(await recordsOf(given), 1)
      for (const [app, code] of [
        [first, '4711'],
        [other, '9000'],
      ] as const) {
        const release = await app.release()
        const { versionCodes } = release.appStoreVersions[0].google.versionState
        assert.deepEqual([versionCodes, shownOf(release)], [[code], 'inProgress'], platform)
      }
      assert.equal((await admin.put(`${other.path()}/redButton`)).status, 200)
      await turns(4)
      assert.deepEqual(
        shared.versions.map((each) => [each.track, each.rollout!.state]),
        [
          ['production', 'active'],
          [track, 'halted'],
        ]
      )
      assert.equal(shownOf(await first.release()), 'inProgress')
      assert.equal(shownOf(await other.release()), 'halted')
    })

    test(`${platform}: a submission names the version as users see it`, async ({ assert }) => {
      const { admin, shared, other, turns } = await sharedWorld({
        platform,
        versions: [null, '1.4.0'],
      })
      shared.upload('9000')
      await turns(2)
      const { status, text } = await admin.put(`${other.path()}/submit`, { force: true })
      assert.equal(status, 200, text)
      await turns(3)
      assert.deepEqual(shared.changes, ['prepare 1.4.0 with 9000', 'submit'])
    })
  }

  test('a version of a watch with a higher code does not replace one of phones', async ({
    assert,
  }) => {
    const { admin, shared, first, turns } = await sharedWorld({ versions: ['1.4.0', null] })
    rollOut(shared, '1.4.0')
    const track = 'wear:production'
    shared.become('live', { version: '3.0.0', track, buildNumbers: ['9000'] })
    await turns(4)
    assert.equal((await first.release()).status, 'active')
    assert.equal((await admin.put(`${first.path()}/redButton`)).status, 200)
    await turns(3)
    assert.deepEqual(shared.changes, ['setRollout halt'])
  })
})

test.group('The version that a halt at 100 % serves again', (group) => {
  group.each.teardown(tidy)

  test('is named although it has no release here', async ({ assert }) => {
    const given = await storeWorld('google', ['kickoff', 'submission', 'takeoff', 'rollout'])
    const { admin, path, store, work } = given
    store.become('live', { version: '1.3.0', buildNumbers: ['4700'] })
    for (let turn = 0; turn < 2; turn++) await work()
    store.become('live', { buildNumbers: ['4711'] })
    store.rollout({ state: 'complete' })
    // Google Play no longer lists it once another version has all its users.
    store.versions.splice(0, 1)
    for (let turn = 0; turn < 3; turn++) await work()
    const pressed = await admin.put(`${path}/redButton`)
    assert.equal(pressed.status, 200)
    assert.match(pressed.body.warnings[0].message, /offers 1\.3\.0 to users again/)
    for (let turn = 0; turn < 3; turn++) await work()
    assert.deepEqual(asked(given), ['setRollout halt'])
  })

  test('is left to Google Play if it is unknown', async ({ assert }) => {
    const given = await storeWorld('google', ['kickoff', 'submission', 'takeoff', 'rollout'])
    const { admin, path, store, work } = given
    store.become('live', { buildNumbers: ['4711'] })
    store.rollout({ state: 'complete' })
    await work()
    const pressed = await admin.put(`${path}/redButton`)
    assert.equal(pressed.status, 200)
    assert.match(pressed.body.warnings[0].message, /the version before 1\.4\.0 .* refuses the halt/)
    for (let turn = 0; turn < 3; turn++) await work()
    assert.deepEqual(asked(given), ['setRollout halt'])
  })
})
