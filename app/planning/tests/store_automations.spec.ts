import { test } from '@japa/runner'
import { MINUTE, Stage } from '#foundation/jobs/tests/support/stage'
import { later } from '#foundation/core/clock'
import { stores } from '#stores/module'
import { passToNight, storeWorld, tidy } from '#stores/tests/support'
import { PLANNED_WORK, HOUR, makePlanned, pass } from './support.js'

/** Makes an app with a store, whose release needs only its submission and takeoff. */
async function automated(...types: string[]) {
  // Before the clock of the stage begins.
  passToNight()
  const stage = await Stage.set(...PLANNED_WORK, ...stores.work!)
  const given = await storeWorld('apple', ['kickoff', 'submission', 'storeReview', 'takeoff'])
  const { admin, appId, path, store } = given
  store.clock = stage.clock
  store.upload('4711')
  for (const type of ['kickoffOnTargetDate', ...types]) {
    const { status } = await admin.put(`/app/${appId}/automations`, { type, enabled: true })
    if (status !== 200) throw new Error(`${type} could not be switched on`)
  }
  const entries = async (type: string) => {
    const { body } = await admin.get(`${path}/timelineEvents?limit=200`)
    return body.data.filter((entry: { type: string }) => entry.type === type)
  }
  return { ...given, stage, entries, now: stage.clock.now() }
}

test.group('Automations of stores', (group) => {
  group.each.teardown(tidy)

  test('submit and release on the target dates, and at no other time', async ({ assert }) => {
    const types = ['submitOnTargetDate', 'releaseOnTargetDate']
    const { admin, path, store, stage, now, entries, release } = await automated(...types)
    const targetSubmitAt = later(now, 2 * HOUR)
    const targetReleaseAt = later(now, 6 * HOUR)
    await admin.put(path, { targetSubmitAt, targetReleaseAt })
    await pass(stage, HOUR, 10 * MINUTE)
    const { body } = await admin.get(`${path}/whyNotMoving`)
    assert.includeMembers(
      body.next.map(({ what }: { what: string }) => what),
      ['submit', 'release']
    )
    assert.isEmpty(store.changes)
    await pass(stage, 2 * HOUR, 10 * MINUTE)
    assert.deepEqual(store.changes, ['prepare 1.4.0 with 4711', 'submit'])
    assert.equal((await release()).phase, 'submitted')
    store.become('pendingRelease')
    await pass(stage, 2 * HOUR, 10 * MINUTE)
    assert.equal((await release()).phase, 'readyToRelease')
    await pass(stage, 2 * HOUR, 10 * MINUTE)
    assert.include(store.changes, 'release')
    const shown = await release()
    assert.deepEqual([shown.status, shown.phase], ['completed', 'released'])
    const ran = await entries('automation.ran')
    assert.sameMembers(
      ran.map(({ data }: any) => [data.automation, data.result].join(' ')),
      [
        'selectLatestBuild succeeded',
        'submitOnTargetDate succeeded',
        'releaseOnTargetDate succeeded',
      ]
    )
    const [requested] = (await entries('store.asked')).slice(-1)
    assert.deepEqual(requested.actor, { type: 'automation', id: null, name: 'submitOnTargetDate' })
  })

  test('submit nothing without a build, and report it', async ({ assert }) => {
    const { admin, path, store, stage, now, entries } = await automated('submitOnTargetDate')
    store.builds.length = 0
    await admin.put(path, { targetSubmitAt: later(now, HOUR) })
    await pass(stage, 2 * HOUR, 10 * MINUTE)
    assert.isEmpty(store.changes)
    const [failed] = await entries('automation.failed')
    assert.deepEqual([failed.data.result, failed.data.reason], ['failed', 'no_build_selected'])
  })

  for (const [type, targetOf, state] of [
    ['submitOnTargetDate', 'targetSubmitAt', 'developerRejected'],
    ['releaseOnTargetDate', 'targetReleaseAt', 'pendingRelease'],
  ] as const) {
    test(`leave a release to people that a person stopped before it went out (${type})`, async ({
      assert,
    }) => {
      const { admin, path, store, stage, now, entries, release } = await automated(
        'submitOnTargetDate',
        'releaseOnTargetDate'
      )
      await pass(stage, 10 * MINUTE, 10 * MINUTE)
      await admin.put(`${path}/submit`, {})
      await pass(stage, 10 * MINUTE, 10 * MINUTE)
      // The store would release it by itself.
      store.become('inReview', { release: { method: 'auto' } })
      await pass(stage, 10 * MINUTE, 10 * MINUTE)
      const stopped = await admin.put(`${path}/rollout`, { action: 'pause' })
      assert.equal(stopped.status, 200)
      store.become(state, { release: { method: 'auto' } })
      const changes = store.changes.length
      await admin.put(path, { [targetOf]: later(now, HOUR) })
      await pass(stage, 2 * HOUR, 10 * MINUTE)
      assert.lengthOf(store.changes, changes)
      const [plan] = (await release()).storePlans
      assert.containsSubset(plan.rollout, { action: 'pause' })
      const [failed] = await entries('automation.failed')
      assert.deepEqual([failed.data.result, failed.data.reason], ['failed', 'rollout_stopped'])
      assert.equal(
        (await admin.put(`${path}/${state !== 'pendingRelease' ? 'submit' : 'takeoff'}`, {}))
          .status,
        200
      )
    })
  }
})

const SELECTS = 'selectLatestBuild'

test.group('The selection of the latest build', (group) => {
  group.each.teardown(tidy)

  test('is on by default, is recorded, and ends once a person has chosen', async ({ assert }) => {
    const { admin, appId, path, store, work, release, step, entries } = await automated()
    const { body } = await admin.get(`/app/${appId}/automations`)
    const shown = body.find(({ type }: { type: string }) => type === SELECTS)
    assert.containsSubset(shown, { enabled: true, status: 'enabled', scheduled: false })
    await work()
    assert.equal((await release()).selectedBuild.buildNumber, '4711')
    const [ran, ...others] = await entries('automation.ran')
    assert.deepEqual(others, [])
    assert.deepEqual([ran.actor.name, ran.data.result], [SELECTS, 'succeeded'])
    assert.equal(ran.title, 'Select the latest build: build 4711')
    const { selectedBuild } = await release()
    const builds = [{ appStoreBuildId: selectedBuild.id }]
    const { stepRunId } = await step('submission')
    await admin.put(`${path}/stepRun/${stepRunId}/selectedBuilds`, { builds })
    store.upload('4712')
    await work()
    assert.equal((await release()).selectedBuild.buildNumber, '4711')
    assert.lengthOf(await entries('automation.ran'), 1)
  })

  test('waits while it is off, and catches up after', async ({ assert }) => {
    const { admin, appId, path, store, work, release } = await automated()
    const set = (enabled: boolean, more: object = {}) =>
      admin.put(`/app/${appId}/automations`, { type: SELECTS, enabled, ...more })
    const number = async () => (await release()).selectedBuild?.buildNumber ?? null
    await set(false)
    await work()
    assert.isNull(await number())
    const refused = await admin.put(`${path}/submit`, {})
    assert.deepEqual([refused.status, refused.body.code], [409, 'no_build_selected'])
    await set(true)
    assert.equal(await number(), '4711')
    const releaseId = `${appId}:1.4.0`
    assert.equal((await set(false, { releaseId })).body.status, 'disabled')
    store.upload('4712')
    await work()
    assert.equal(await number(), '4711')
  })

  test('waits while automations of the release are paused', async ({ assert }) => {
    const { admin, appId, work, release, entries } = await automated()
    const pause = (paused: boolean) =>
      admin.put(`/app/${appId}/automations/pause`, { paused, releaseId: `${appId}:1.4.0` })
    await pause(true)
    await work()
    assert.isNull((await release()).selectedBuild)
    await pause(false)
    assert.equal((await release()).selectedBuild.buildNumber, '4711')
    assert.lengthOf(await entries('automation.ran'), 1)
  })

  test('409 without a store', async ({ assert }) => {
    const { automate } = await makePlanned()
    const missing = await automate(SELECTS)
    assert.deepEqual([missing.status, missing.body.code], [409, 'automation_dependency'])
    assert.include(missing.body.detail, 'its store')
    const ota = await makePlanned([], { platform: 'react-native-ota' })
    assert.equal((await ota.automate(SELECTS)).body.code, 'automation_inactive')
    assert.equal((await ota.automate(SELECTS, false)).status, 200)
  })
})
