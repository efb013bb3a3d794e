import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import { sampleScenario, type GooglePlayFake } from '@tarmac/plugin-google-play/fake'
import { DEFAULT_APP_STORE_RELEASE_SETTINGS } from '#apps/settings'
import { apps } from '#apps/tables'
import { replaceIntegrations } from '#integrations/store_integrations'
import { connect } from '#integrations/tests/support/connect'
import { passMinutes, passToNight, tidy, WORKFLOW, workThrough } from '#stores/tests/support'
import { makeApp } from '#tests/support/app_fixture'
import { loadTestPlugins } from '#tests/support/plugins/index'
import { requireAnswer } from './support/answered_review.js'
import { credentials, makeGooglePlay, reached } from './support/google_play.js'
import { requireImportedOnce } from './support/past_versions.js'
import { makeWorld } from '#tests/support/world'
import type { ReleaseStepType } from '#workflow/vocabulary'

/*
 * A release on Google Play, through the service and its plugin, against the plugin's fake.
 */

const SETTINGS = { ...DEFAULT_APP_STORE_RELEASE_SETTINGS, phasedReleaseEnabled: true }
const required = { required: true }

/** Makes release 1.3.0, with its build on the internal track. */
async function makeRelease() {
  passToNight()
  const fake = (reached.google = makeGooglePlay())
  fake.seed(sampleScenario())
  fake.lagMs = 4 * 60_000
  await loadTestPlugins({ paper: () => import('@tarmac/plugin-google-play') })
  const world = await makeWorld()
  const appId = await makeApp(world, {
    platform: 'android',
    steps: WORKFLOW.map((type) => ({
      type,
      releaseTypes: { standard: required, hotfix: required },
    })),
  })
  const { id: provider } = await connect(world, 'google-play', { credentials })
  await world.write((scope) =>
    scope.update(apps, { id: appId }, { appStoreReleaseSettings: SETTINGS })
  )
  const data = { bundleId: 'com.acme.app' }
  await world.write((scope) =>
    replaceIntegrations(scope, appId, [
      { key: 'store', type: 'google', kind: 'appStore', provider, data },
      { key: 'beta', type: 'google-beta', kind: 'betaTesting', provider, data },
    ])
  )
  const { admin, organizationId } = world
  await admin.post(`/app/${appId}/release`, { version: '1.3.0' })
  const path = `/app/${appId}/release/${appId}:1.3.0`
  await admin.put(`${path}/kickoff`)
  const work = async (times = 1) => {
    for (let each = 0; each < times; each++) await workThrough(organizationId)
  }
  const release = async () => (await admin.get(`/v2/app/${appId}/releases/${appId}:1.3.0`)).body
  const statuses = async () => {
    const { body } = await admin.get(`${path}/steps`)
    return Object.fromEntries(
      body.map(({ type, status }: { type: ReleaseStepType; status: string }) => [type, status])
    )
  }
  await work(2)
  const { body: steps } = await admin.get(`${path}/steps`)
  const { stepRunId } = steps.find(({ type }: { type: string }) => type === 'metadata')
  await admin.put(`${path}/stepRun/${stepRunId}/metadata`, {
    localizations: [{ locale: 'en-US', whatsNew: 'Faster', fullDescription: 'An app' }],
  })
  await admin.put(`${path}/stepRun/${stepRunId}/approval`, { approved: true })
  return { fake, admin, appId, path, work, release, statuses, world }
}

const inStore = (fake: GooglePlayFake) =>
  fake.state().appStore!.versions.find(({ version }) => version === '1.3.0')

test.group('A release on Google Play', (group) => {
  group.each.teardown(async () => {
    reached.google = null
    await tidy()
  })

  test('is submitted with its texts, reviewed, rolled out, stopped and resumed', async ({
    assert,
  }) => {
    const { fake, admin, path, work, release, statuses } = await makeRelease()
    assert.equal((await release()).selectedBuild.buildNumber, '41')
    const submitted = await admin.put(`${path}/submit`, {})
    assert.equal(submitted.status, 200)
    await work(3)
    assert.equal(inStore(fake)?.state, 'inReview')
    assert.deepEqual(
      fake.state().appStore!.metadata.map(({ locale, whatsNew }) => [locale, whatsNew]),
      [['en-US', 'Faster']]
    )
    assert.equal((await release()).phase, 'inReview')
    fake.decide('approved')
    await work(2)
    assert.equal((await release()).phase, 'rollingOut')
    assert.include(await statuses(), { storeReview: 'complete', takeoff: 'complete' })
    const change = async (body: object) => {
      assert.equal((await admin.put(`${path}/rollout`, body)).status, 200)
      await work(3)
    }
    await change({ action: 'set', percentage: 20 })
    assert.include(inStore(fake), { fraction: 0.2, rollout: 'active' })
    await change({ action: 'halt' })
    assert.include(inStore(fake), { fraction: 0.2, rollout: 'halted' })
    await change({ action: 'resume' })
    assert.include(inStore(fake), { fraction: 0.2, rollout: 'active' })
    await change({ action: 'complete' })
    assert.include(inStore(fake), { state: 'live', fraction: 1 })
  })

  test('continues after an answer was lost, and submits once', async ({ assert }) => {
    const { fake, admin, path, work } = await makeRelease()
    await admin.put(`${path}/submit`, {})
    fake.failNext(...Array.from({ length: 5 }, () => 'pass' as const), 'lost')
    await work(6)
    assert.equal(inStore(fake)?.state, 'inReview')
    assert.lengthOf(fake.state().appStore!.versions, 2)
  })

  test('waits for the person who sends its changes for review, and says so', async ({ assert }) => {
    const { fake, admin, path, work } = await makeRelease()
    fake.store.isSentByHand = true
    await admin.put(`${path}/submit`, {})
    await work(3)
    assert.equal(inStore(fake)?.state, 'readyForReview')
    const { body } = await admin.get(`${path}/whyNotMoving`)
    assert.match(JSON.stringify(body), /Send for review/)
    fake.inConsole((store) => store.send())
    await work(2)
    assert.equal(inStore(fake)?.state, 'inReview')
  })

  test('is published by a person where managed publishing holds it', async ({ assert }) => {
    const { fake, admin, path, work, release, statuses } = await makeRelease()
    fake.store.isManaged = true
    await admin.put(`${path}/submit`, {})
    await work(3)
    fake.decide('approved')
    await work(2)
    assert.equal((await statuses()).takeoff, 'inProgress')
    assert.equal((await admin.put(`${path}/takeoff`)).status, 200)
    await work(2)
    assert.equal(inStore(fake)?.state, 'pendingRelease')
    const { body } = await admin.get(`${path}/whyNotMoving`)
    assert.match(JSON.stringify(body), /Publishing overview/)
    fake.inConsole((store) => store.publish())
    await work(2)
    assert.isNotNull((await release()).releasedAt)
    assert.equal((await statuses()).takeoff, 'complete')
  })

  test('is halted at once although the next version is in review', async ({ assert }) => {
    const { fake, admin, path, work } = await makeRelease()
    await admin.put(`${path}/submit`, {})
    await work(3)
    fake.decide('approved')
    await work(2)
    fake.inConsole((store) => {
      const ours = store.on('production').find(({ status }) => status === 'inProgress')!
      store.library.add(42)
      store.releases.push({
        ...structuredClone(ours),
        ...{ name: '1.4.0', versionCodes: [42], review: 'inReview', isOut: false },
      })
    })
    await work()
    assert.equal((await admin.put(`${path}/rollout`, { action: 'halt' })).status, 200)
    await work()
    assert.equal(inStore(fake)?.rollout, 'halted')
    const next = fake.state().appStore!.versions.find(({ version }) => version === '1.4.0')
    assert.equal(next?.state, 'inReview')
  })

  test('has its reviews read and answered within the quota of Google', async ({ assert }) => {
    const { fake, admin, appId, path, work } = await makeRelease()
    const given = sampleScenario()
    given.appStore!.reviews = Array.from({ length: 950 }, (_, index) => ({
      ...{ id: `R${index}`, rating: 1 + (index % 5), text: `Review ${index}`, reply: null },
      at: new Date(Date.now() - index * 600_000).toISOString(),
    }))
    fake.seed(given)
    await admin.put(`${path}/submit`, {})
    await work(3)
    const before = fake.requests().length
    const requested: { at: number; method: string }[] = []
    const worker = await app.container.make('jobs.worker')
    for (let minute = 0; minute < 6 * 60; minute += 10) {
      passMinutes(10)
      // Somebody answers ten reviews an hour, so each poll finds something new.
      if (minute % 60 === 0) {
        const { body } = await admin.get(`/app/${appId}/reviews?limit=10&rating=1`)
        for (const { id } of body.data) {
          const reply = await admin.put(`/app/${appId}/review/${id}/reply`, { text: `${minute}` })
          assert.equal(reply.status, 200)
        }
      }
      while ((await worker.turn()) > 0);
      const known = before + requested.length
      for (const { method, url } of fake.requests().slice(known)) {
        requested.push({ at: minute, method: /\/reviews/.test(url) ? method : 'OTHER' })
      }
    }
    /** Returns the largest number of requests within so many minutes. */
    const mostWithin = (method: string, minutes: number) =>
      Math.max(
        ...requested.map(
          ({ at: from }) =>
            requested
              .filter((each) => each.method === method && each.at >= from)
              .filter(({ at }) => at < from + minutes).length
        )
      )
    // Google's quota: 200 reads an hour for each app, and 2,000 answers a day.
    assert.isAbove(mostWithin('GET', 60), 10)
    assert.isAtMost(mostWithin('GET', 60), 100)
    assert.equal(mostWithin('POST', 60), 10)
  })

  test('has its reviews answered', async ({ assert }) => {
    const given = await makeRelease()
    await requireAnswer(assert, given, () =>
      given.fake.state().appStore!.reviews.map(({ reply }) => reply)
    )
  })

  test('has its past versions imported once, however often they are read', async ({ assert }) => {
    await requireImportedOnce(assert, await makeRelease(), '1.2.3')
  })
})
