import { test } from '@japa/runner'
import { HOUR } from '#foundation/core/durations'
import { uploadBuild } from '#simulated-providers/app_store_builds'
import {
  isRefused,
  USUAL_APP_STORE,
  type AppStoreSettings,
  type SimulatedAppStore,
} from '#simulated-providers/app_store_state'
import { STATES } from '../provider/app_store/states.js'
import { newWorld } from '../world/world.js'
import { testFacts, type Facts } from './support/facts.js'
import { BEGIN, DAY } from './support/played_world.js'
import { WorldClient } from './support/train.js'

/*
 * The facts about the App Store, one by one, compared with the answers of the simulated one over
 * HTTP: as a plugin sees them, and not as its core does.
 */

const APP = 'com.acme.shop'

/** Returns a store with processed builds of these versions, whose reviews all approve. */
function apple(settings: Partial<AppStoreSettings> = {}, versions = ['1.0.0', '1.1.0']) {
  const calm = { rejected: 0, metadataRejected: 0, betaRejected: 0, lagMs: 0, ...settings }
  const store = versions.reduce<SimulatedAppStore>(
    (before, version, index) => {
      const result = uploadBuild(before, BEGIN - DAY, { number: String(index + 1), version })
      if (isRefused(result)) throw new Error(result.refused)
      return result.store
    },
    { ...USUAL_APP_STORE, settings: { ...USUAL_APP_STORE.settings, ...calm } }
  )
  return new WorldClient({ ...newWorld('facts'), appStores: { [APP]: store } }, BEGIN)
}

const make = (client: WorldClient, version: string, more: object = {}) =>
  client.ask('POST', `apple/${APP}/versions`, { version, ...more })
const action = (client: WorldClient, version: string, what: string, body: object = {}) =>
  client.ask('POST', `apple/${APP}/versions/${version}/${what}`, body)
const stateOf = async (client: WorldClient, version: string): Promise<string> =>
  (await client.ask('GET', `apple/${APP}/versions/${version}`)).state

/** Makes a version that is released now. */
async function out(client: WorldClient, version: string, number: number, more: object = {}) {
  await make(client, version, { buildId: `${version} ${number}`, phased: true, ...more })
  await action(client, version, 'submit')
  client.now += DAY
  await action(client, version, 'release')
}

const APPLE: Facts = {
  async 'a new version needs the last one to be live'() {
    const client = apple()
    await make(client, '1.0.0')
    return [(await make(client, '1.1.0')).code, 'versionInFlight']
  },
  async 'or removed from sale'() {
    const client = apple()
    await out(client, '1.0.0', 1)
    const planned = [
      { store: 'apple' as const, deed: 'removesFromSale', at: client.now, when: null },
    ]
    client.world = { ...client.world, planned }
    client.now += HOUR
    const state = await stateOf(client, '1.0.0')
    const { status } = await make(client, '1.1.0')
    return [
      [state, status],
      ['DEVELOPER_REMOVED_FROM_SALE', 200],
    ]
  },
  async 'a new release ends the phased release of the one before'() {
    const client = apple()
    await out(client, '1.0.0', 1)
    await out(client, '1.1.0', 2)
    const old = await client.ask('GET', `apple/${APP}/versions/1.0.0`)
    return [
      [old.state, old.phasedRelease.state],
      ['REPLACED_WITH_NEW_VERSION', 'COMPLETE'],
    ]
  },
  async 'a build changes before the submission alone'() {
    const client = apple()
    await make(client, '1.0.0', { buildId: '1.0.0 1' })
    await action(client, '1.0.0', 'submit')
    const change = { buildId: '1.0.0 1' }
    const { code } = await client.ask('PATCH', `apple/${APP}/versions/1.0.0`, change)
    return [code, 'notEditable']
  },
  async 'a cancellation is polled for before anything is edited'() {
    const client = apple()
    await make(client, '1.0.0', { buildId: '1.0.0 1' })
    await action(client, '1.0.0', 'submit')
    await action(client, '1.0.0', 'cancel')
    const first = (await action(client, '1.0.0', 'submit')).code
    client.now += HOUR
    return [
      [first, await stateOf(client, '1.0.0')],
      ['notEditable', 'DEVELOPER_REJECTED'],
    ]
  },
  async 'and keeps the share that it had'() {
    const client = apple()
    await out(client, '1.0.0', 1)
    client.now += 2 * DAY
    await out(client, '1.1.0', 2)
    const old = await client.ask('GET', `apple/${APP}/versions/1.0.0`)
    return [
      [old.phasedRelease.state, old.phasedRelease.percentage, old.phasedRelease.day],
      ['COMPLETE', 10, 4],
    ]
  },
  async 'reads show a change after a while, and the answer to it at once'() {
    const client = apple({ lagMs: 10_000 })
    await out(client, '1.0.0', 1)
    client.now += DAY
    const at = `apple/${APP}/versions/1.0.0`
    const paused = await action(client, '1.0.0', 'rollout', { action: 'pause' })
    const early = await client.ask('GET', at)
    const listed = await client.ask('GET', `apple/${APP}/versions`)
    client.now += 10_000
    const late = await client.ask('GET', at)
    return [
      [paused, early, listed.items[0], late].map(({ phasedRelease }) => phasedRelease.state),
      ['PAUSED', 'ACTIVE', 'ACTIVE', 'PAUSED'],
    ]
  },
  async 'a phased release has seven days'() {
    const client = apple()
    await out(client, '1.0.0', 1)
    const seen = []
    for (let day = 0; day < 7; day++, client.now += DAY) {
      const { phasedRelease } = await client.ask('GET', `apple/${APP}/versions/1.0.0`)
      seen.push(phasedRelease.percentage)
    }
    return [seen, [1, 2, 5, 10, 20, 50, 100]]
  },
  async 'it is paused for 30 days in all'() {
    const client = apple()
    await out(client, '1.0.0', 1)
    await action(client, '1.0.0', 'rollout', { action: 'pause' })
    client.now += 31 * DAY
    const { code } = await action(client, '1.0.0', 'rollout', { action: 'pause' })
    return [code, 'pauseBudgetSpent']
  },
  async 'version names rise'() {
    const client = apple()
    await out(client, '1.1.0', 2)
    return [(await make(client, '1.0.0')).code, 'versionNotHigher']
  },
  async 'build numbers may fall from version to version'() {
    const client = apple({}, ['1.1.0', '1.0.0'])
    await out(client, '1.0.0', 2)
    return [(await make(client, '1.1.0', { buildId: '1.1.0 1' })).status, 200]
  },
  async 'external groups need a beta review, groups of the house do not'() {
    const client = apple()
    const give = (groupIds: string[]) =>
      client.ask('POST', `apple/${APP}/builds/1.0.0 1/groups`, { groupIds })
    const house = (await give(['employees'])).state
    return [
      [house, (await give(['everybody'])).state],
      ['IN_BETA_TESTING', 'WAITING_FOR_BETA_REVIEW'],
    ]
  },
  async 'builds expire after 90 days'() {
    const client = apple()
    client.now += 90 * DAY
    const { items } = await client.ask('GET', `apple/${APP}/builds`)
    return [items[0].state, 'EXPIRED']
  },
  async 'what was made is not found for a while'() {
    const client = apple({ appearingMs: 60_000 })
    const made = await make(client, '1.0.0')
    const early = (await client.ask('GET', `apple/${APP}/versions/1.0.0`)).status
    const listed = (await client.ask('GET', `apple/${APP}/versions`)).items.length
    client.now += 60_000
    const later = (await client.ask('GET', `apple/${APP}/versions/1.0.0`)).status
    return [
      [made.status, early, listed, later],
      [200, 404, 0, 200],
    ]
  },
  async 'its states have words of ours'() {
    const known = [
      ...['ACCEPTED', 'DEVELOPER_REJECTED', 'IN_REVIEW', 'INVALID_BINARY', 'METADATA_REJECTED'],
      ...['PENDING_APPLE_RELEASE', 'PENDING_DEVELOPER_RELEASE', 'PREPARE_FOR_SUBMISSION'],
      ...['PROCESSING_FOR_DISTRIBUTION', 'READY_FOR_DISTRIBUTION', 'READY_FOR_REVIEW', 'REJECTED'],
      ...['REPLACED_WITH_NEW_VERSION', 'WAITING_FOR_EXPORT_COMPLIANCE', 'WAITING_FOR_REVIEW'],
      ...['DEVELOPER_REMOVED_FROM_SALE', 'REMOVED_FROM_SALE'],
    ]
    return [Object.keys(STATES).sort(), known.sort()]
  },
}

testFacts('App Store', APPLE)

test.group('The providers of a world', () => {
  test('say so when they were asked too often, and when to come again', async ({ assert }) => {
    const client = apple()
    client.world = { ...client.world, limits: [{ of: 'apple', from: 0, until: BEGIN + HOUR }] }
    assert.equal((await client.ask('GET', `apple/${APP}/versions`)).status, 429)
    assert.equal((await client.ask('GET', 'ci/runs')).status, 200)
    client.now += HOUR
    assert.equal((await client.ask('GET', `apple/${APP}/versions`)).status, 200)
  })
})
