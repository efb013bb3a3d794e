import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import type { GooglePlayFake } from '@tarmac/plugin-google-play/fake'
import { replaceIntegrations } from '#integrations/store_integrations'
import { plugins } from '#integrations/plugins/plugin_registry'
import { connect } from '#integrations/tests/support/connect'
import { passMinutes, passToNight } from '#stores/tests/support'
import { makeApp } from '#tests/support/app_fixture'
import { loadTestPlugins } from '#tests/support/plugins/index'
import { VENDOR_PLUGINS } from '#tests/support/vendor_plugins'
import { makeWorld } from '#tests/support/world'
import type { ReleaseStepType } from '#workflow/vocabulary'
import { appStore, playStore, VERSION, type RehearsedStore } from './support/rehearsal/stores.js'

/*
 * A release for iOS and one for Android that go out together, with the plugins of both stores
 * against their fakes.
 */

const STEPS: readonly ReleaseStepType[] = [
  'kickoff',
  'metadata',
  'submission',
  'storeReview',
  'takeoff',
  'rollout',
]
const required = { required: true }
const IN_PHASES = { releaseMethod: 'manual', phasedReleaseEnabled: true, inAppUpdatePriority: null }

async function makePair() {
  await db.from('jobs').delete()
  passToNight()
  const stores = { ios: appStore(), android: playStore() }
  const play = stores.android.gate.fake as GooglePlayFake
  play.store.isManaged = true
  await plugins.load(VENDOR_PLUGINS)
  const world = await makeWorld()
  const { admin } = world
  const demand = async (answer: Promise<{ status: number; text: string; body: any }>) => {
    const { status, text, body } = await answer
    if (status >= 300) throw new Error(`${status}: ${text}`)
    return body
  }
  const worker = await app.container.make('jobs.worker')
  const pass = async (minutes: number) => {
    passMinutes(minutes)
    for (let turn = 0; turn < 30; turn++) if ((await worker.turn()) === 0) break
  }
  const sideOf = async ({ platform, plugin, credentials, types, upload }: RehearsedStore) => {
    const steps = STEPS.map((type) => ({ type, releaseTypes: { standard: required } }))
    const appId = await makeApp(world, { platform, steps })
    await db
      .from('apps')
      .where('id', appId)
      .update({ app_store_release_settings: JSON.stringify(IN_PHASES) })
    const { id: provider } = await connect(world, plugin, { credentials })
    const data = { bundleId: 'com.acme.app' }
    await world.write((scope) =>
      replaceIntegrations(scope, appId, [
        { key: 'store', type: types.store, kind: 'appStore', provider, data },
        { key: 'beta', type: types.beta, kind: 'betaTesting', provider, data },
      ])
    )
    const id = `${appId}:${VERSION}`
    const path = `/app/${appId}/release/${id}`
    const put = (rest: string, body: object = {}) => demand(admin.put(`${path}${rest}`, body))
    await demand(admin.post(`/app/${appId}/release`, { version: VERSION }))
    await put('/kickoff')
    const made = await demand(admin.get(`${path}/steps`))
    const { stepRunId } = made.find(({ type }: { type: string }) => type === 'metadata')
    const texts = { locale: 'en-US', whatsNew: 'Faster' }
    const localization = platform === 'android' ? { ...texts, fullDescription: 'An app' } : texts
    await put(`/stepRun/${stepRunId}/metadata`, { localizations: [localization] })
    await put(`/stepRun/${stepRunId}/approval`, { approved: true })
    upload(41)
    return {
      id,
      path,
      put,
      why: async () => JSON.stringify((await demand(admin.get(`${path}/whyNotMoving`))).release),
      release: () => demand(admin.get(`/v2/app/${appId}/releases/${id}`)),
    }
  }
  const [ios, android] = [await sideOf(stores.ios), await sideOf(stores.android)]
  const until = async (what: string, isSo: () => Promise<boolean>) => {
    for (let turn = 0; turn < 40; turn++) {
      if (await isSo()) return
      await pass(5)
    }
    throw new Error(`Never: ${what}. ${await ios.why()} ${await android.why()}`)
  }
  return { admin, stores, play, ios, android, pass, until }
}

type Pair = Awaited<ReturnType<typeof makePair>>

const isIn =
  ({ release }: Pair['ios'], ...phases: string[]) =>
  async () =>
    phases.includes((await release()).phase)

/** The requests by which the App Store was told to release. */
const released = ({ stores }: Pair) =>
  stores.ios.gate.changes.filter((each) => each.includes('appStoreVersionReleaseRequests'))

test.group('Two releases that go out together, with both stores', (group) => {
  group.each.teardown(async () => {
    await db.from('jobs').delete()
    await loadTestPlugins()
  })

  test('wait for each other, are published and released once although an answer is lost, and one red button stops both', async ({
    assert,
    cleanup,
  }) => {
    const pair = await makePair()
    const { admin, stores, play, ios, android, pass, until } = pair
    cleanup(() => Object.values(stores).forEach(({ leave }) => leave()))
    const join = { releaseId: android.id }
    const refused = await admin.put(`${ios.path}/pair`, join)
    assert.deepEqual([refused.status, refused.body.code], [409, 'managed_publishing_needed'])
    await ios.put('/pair', { ...join, managedPublishing: true })

    for (const side of [ios, android]) {
      const { release, put } = side
      await until('a build is selected', async () => (await release()).selectedBuild !== null)
      await put('/submit')
      await until('it is submitted', isIn(side, 'submitted', 'inReview'))
    }
    stores.ios.decide('approved')
    await until('the App Store approves', isIn(ios, 'readyToRelease'))
    assert.include(await ios.why(), `${android.id}, which is not approved by its store yet`)
    await ios.put('/takeoff')
    await pass(30)
    assert.isEmpty(released(pair))

    stores.android.decide('approved')
    await until('a person is asked to publish', async () => {
      const { storePlans } = await android.release()
      return storePlans[0].inConsole?.do === 'publish'
    })
    await pass(30)
    assert.include(await ios.why(), 'press Publish changes')
    assert.isEmpty(released(pair))

    // The App Store releases, and its answer is lost.
    stores.ios.gate.close()
    play.inConsole((store) => store.publish())
    await until('the App Store was asked', async () => stores.ios.gate.lost > 0)
    stores.ios.gate.open()
    for (const side of [ios, android]) {
      await until('users get it', isIn(side, 'rollingOut', 'released'))
    }
    assert.lengthOf(released(pair), 1)

    const pressed = await ios.put('/redButton', { pair: true })
    assert.include(JSON.stringify(pressed), android.id)
    const rollout = async ({ release }: Pair['ios']) =>
      (await release()).storePlans[0].seen.rollout.state
    await until('both rollouts stand still', async () => {
      const states = [await rollout(ios), await rollout(android)]
      return states.join() === 'paused,halted'
    })
  }).timeout(120_000)
})
