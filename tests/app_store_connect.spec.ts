import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { sampleScenario, type AppStoreConnectFake } from '@tarmac/plugin-app-store-connect/fake'
import { replaceIntegrations } from '#integrations/store_integrations'
import { isSameVersion } from '#plugin-kit/version_names'
import { connect } from '#integrations/tests/support/connect'
import { passToNight, tidy, workThrough } from '#stores/tests/support'
import type { ReleaseStepType } from '#workflow/vocabulary'
import { makeApp } from './support/app_fixture.js'
import { requireAnswer } from './support/answered_review.js'
import { credentials, makeAppStore, reached } from './support/app_store.js'
import { loadTestPlugins } from './support/plugins/index.js'
import { requireImportedOnce } from './support/past_versions.js'
import { makeWorld } from './support/world.js'

/*
 * A release at App Store Connect, through the whole service and its port.
 */

const STEPS: readonly ReleaseStepType[] = [
  'kickoff',
  'metadata',
  'submission',
  'storeReview',
  'takeoff',
  'rollout',
]
const IN_PHASES = { releaseMethod: 'manual', phasedReleaseEnabled: true }
const required = { required: true }

/**
 * Makes release 1.3.0 of an app whose version 1.2.3 all users have, with its notes approved.
 * @param nameInStore of the version of its build
 */
async function readyRelease(nameInStore = '1.3.0') {
  passToNight()
  const apple = (reached.apple = makeAppStore(Date.now))
  apple.seed(sampleScenario())
  apple.world.builds[1].version = nameInStore
  for (const build of apple.world.builds) build.uploadedAt = Date.now() - 3_600_000
  // Short, because pauses take real time here.
  apple.world.settings.appearingMs = 300
  // No other plugin is loaded: others of the tests have the same integration types.
  await loadTestPlugins({ paper: () => import('@tarmac/plugin-app-store-connect') })
  const world = await makeWorld()
  const { admin, organizationId } = world
  const steps = STEPS.map((type) => ({ type, releaseTypes: { standard: required } }))
  const appId = await makeApp(world, { platform: 'ios', steps })
  await db
    .from('apps')
    .where({ id: appId })
    .update({ app_store_release_settings: JSON.stringify(IN_PHASES) })
  const { id: provider } = await connect(world, 'app-store-connect', { credentials })
  const data = { bundleId: 'com.acme.app' }
  await world.write((scope) =>
    replaceIntegrations(scope, appId, [
      { key: 'store', type: 'apple', kind: 'appStore', provider, data },
      { key: 'beta', type: 'apple-beta', kind: 'betaTesting', provider, data },
    ])
  )
  const path = `/app/${appId}/release/${appId}:1.3.0`
  await admin.post(`/app/${appId}/release`, { version: '1.3.0' })
  await admin.put(`${path}/kickoff`)
  const work = () => workThrough(organizationId)
  const statuses = async () => {
    const { body } = await admin.get(`${path}/steps`)
    return Object.fromEntries(
      body.map(({ type, status }: { type: string; status: string }) => [type, status])
    )
  }
  const stepRun = async (type: string) => {
    const { body } = await admin.get(`${path}/steps`)
    return body.find((each: { type: string }) => each.type === type).stepRunId as string
  }
  const release = async () => (await admin.get(`/v2/app/${appId}/releases/${appId}:1.3.0`)).body
  await work()
  const metadata = `${path}/stepRun/${await stepRun('metadata')}`
  await admin.put(`${metadata}/metadata`, {
    localizations: [{ locale: 'en-US', whatsNew: 'Faster' }],
  })
  await admin.put(`${metadata}/approval`, { approved: true })
  return { apple, admin, appId, path, work, statuses, release, world }
}

const versionIn = ({ world }: AppStoreConnectFake) =>
  world.versions.find(({ version }) => isSameVersion(version, '1.3.0'))

test.group('A release at App Store Connect', (group) => {
  // Otherwise jobs left by other tests would call the fake of this one.
  group.each.setup(tidy)
  group.each.teardown(async () => {
    await tidy()
    reached.apple = null
  })

  test('is submitted, approved, released and rolled out once as {$self}')
    .with(['1.3.0', '1.3'])
    .run(async ({ assert }, nameInStore) => {
      const { apple, admin, path, work, statuses, release } = await readyRelease(nameInStore)
      assert.equal((await admin.put(`${path}/submit`, {})).status, 200)
      await work()
      await work()
      const made = versionIn(apple)!
      assert.containsSubset(made, {
        version: nameInStore,
        state: 'WAITING_FOR_REVIEW',
        buildId: 'build-41',
        submissions: 1,
      })
      assert.equal(made.texts[0].texts.whatsNew, 'Faster')
      assert.equal((await release()).phase, 'submitted')
      apple.decide(made.id, 'approved')
      await work()
      assert.equal((await statuses()).storeReview, 'complete')
      assert.equal((await admin.put(`${path}/takeoff`)).status, 200)
      await work()
      await work()
      assert.equal((await statuses()).takeoff, 'complete')
      assert.equal(versionIn(apple)!.state, 'READY_FOR_DISTRIBUTION')
      assert.equal(apple.world.versions[0].state, 'REPLACED_WITH_NEW_VERSION')
      assert.equal(versionIn(apple)!.phased?.state, 'ACTIVE')
      // From here on reads lag.
      apple.world.settings.lagMs = 30_000
      for (const [action, state] of [
        ['halt', 'PAUSED'],
        ['resume', 'ACTIVE'],
        ['complete', 'COMPLETE'],
      ]) {
        assert.equal((await admin.put(`${path}/rollout`, { action })).status, 200, action)
        for (let turn = 0; turn < 3; turn++) await work()
        assert.equal(versionIn(apple)!.phased?.state, state)
      }
      assert.equal((await statuses()).rollout, 'complete')
      const refused = apple
        .requests()
        .filter(({ response }) => [400, 401, 403].includes(response?.status ?? 0))
      assert.deepEqual(
        refused.map(({ method, url }) => `${method} ${url}`),
        []
      )
    })

  test('is not submitted while nobody has said whether its build encrypts', async ({ assert }) => {
    const { apple, admin, path, work } = await readyRelease()
    apple.world.builds[1].encrypts = null
    await admin.put(`${path}/submit`, {})
    await work()
    await work()
    const { body } = await admin.get(`${path}/whyNotMoving`)
    const [{ code, message }] = body.release
    assert.equal(code, 'submission_failed')
    assert.match(message, /export compliance.*ITSAppUsesNonExemptEncryption/)
    assert.equal(versionIn(apple)!.submissions, 0)
  })

  test('has its reviews answered', async ({ assert }) => {
    const given = await readyRelease()
    await requireAnswer(assert, given, () =>
      given.apple.world.reviews.map(({ reply }) => reply?.text ?? null)
    )
  })

  test('has its past versions imported once, however often they are read', async ({ assert }) => {
    await requireImportedOnce(assert, await readyRelease(), '1.2.3')
  })
})
