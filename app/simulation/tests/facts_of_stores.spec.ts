import { test } from '@japa/runner'
import { HOUR } from '#foundation/core/durations'
import { uploadBuild } from '../core/app_store_builds.js'
import {
  isRefused,
  USUAL_APP_STORE,
  type AppStoreSettings,
  type SimulatedAppStore,
} from '../core/app_store_state.js'
import { uploadBundle } from '../core/play_releases.js'
import { isPlayRefused, USUAL_PLAY, type PlaySettings } from '../core/play_state.js'
import { STATES } from '../provider/app_store/states.js'
import { newWorld } from '../world/world.js'
import { BEGIN, DAY } from './support/played_world.js'
import { WorldClient } from './support/train.js'

/*
 * What is known of both stores, fact by fact, held against what the simulated ones answer over
 * HTTP: as a plugin sees them, and not as their cores do.
 */

const APP = 'com.acme.shop'

/** A store with builds of these versions, processed long ago, all of whose reviews end well. */
function apple(settings: Partial<AppStoreSettings> = {}, versions = ['1.0.0', '1.1.0']) {
  const calm = { rejected: 0, metadataRejected: 0, betaRejected: 0, ...settings }
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

function google(settings: Partial<PlaySettings> = {}, more: object = {}) {
  const calm = { ...USUAL_PLAY.settings, rejected: 0, lagMs: 0, ...settings }
  const store = [101, 102, 103].reduce(
    (before, versionCode) => {
      const result = uploadBundle(before, BEGIN - DAY, { versionCode, versionName: '1.0.0' })
      if (isPlayRefused(result)) throw new Error(result.refused)
      return result.store
    },
    { ...USUAL_PLAY, settings: calm, ...more }
  )
  return new WorldClient({ ...newWorld('facts'), plays: { [APP]: store } }, BEGIN)
}

const make = (client: WorldClient, version: string, more: object = {}) =>
  client.ask('POST', `apple/${APP}/versions`, { version, ...more })
const deed = (client: WorldClient, version: string, what: string, body: object = {}) =>
  client.ask('POST', `apple/${APP}/versions/${version}/${what}`, body)
const stateOf = async (client: WorldClient, version: string): Promise<string> =>
  (await client.ask('GET', `apple/${APP}/versions/${version}`)).state

/** A version that users have since now. */
async function out(client: WorldClient, version: string, number: number, more: object = {}) {
  await make(client, version, { buildId: `${version} ${number}`, phased: true, ...more })
  await deed(client, version, 'submit')
  client.now += DAY
  await deed(client, version, 'release')
}

/** What a commit of one release answers. */
async function commit(
  client: WorldClient,
  releases: object[],
  { track = 'production', query = '' } = {}
) {
  const { id } = await client.ask('POST', `google/${APP}/edits`, {})
  const edit = `google/${APP}/edits/${id}`
  const whole = releases.map((each) => ({ name: null, releaseNotes: [], ...each }))
  const put = await client.ask('PUT', `${edit}/tracks/${track}`, { releases: whole })
  if (put.status !== 200) return put
  return client.ask('POST', `${edit}/commit?changesInReviewBehavior=ERROR_IF_IN_REVIEW${query}`, {})
}
const staged = (code: number, userFraction: number) => ({
  ...{ versionCodes: [String(code)], status: 'inProgress', userFraction },
})
const whole = (code: number) => ({
  ...{ versionCodes: [String(code)], status: 'completed', userFraction: null },
})
const shown = async (client: WorldClient) =>
  (await client.ask('GET', `google/${APP}/tracks/production/releases`)).items

/** What is answered by each fact, in one word; the fact is its name. */
type Facts = Record<string, () => Promise<[found: unknown, fact: unknown]>>

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
    await deed(client, '1.0.0', 'submit')
    const change = { buildId: '1.0.0 1' }
    const { code } = await client.ask('PATCH', `apple/${APP}/versions/1.0.0`, change)
    return [code, 'notEditable']
  },
  async 'a cancellation is polled for before anything is edited'() {
    const client = apple()
    await make(client, '1.0.0', { buildId: '1.0.0 1' })
    await deed(client, '1.0.0', 'submit')
    await deed(client, '1.0.0', 'cancel')
    const first = (await deed(client, '1.0.0', 'submit')).code
    client.now += HOUR
    return [
      [first, await stateOf(client, '1.0.0')],
      ['notEditable', 'DEVELOPER_REJECTED'],
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
    await deed(client, '1.0.0', 'rollout', { action: 'pause' })
    client.now += 31 * DAY
    const { code } = await deed(client, '1.0.0', 'rollout', { action: 'pause' })
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

const GOOGLE: Facts = {
  async 'an edit that is opened deletes the one before'() {
    const client = google()
    const { id } = await client.ask('POST', `google/${APP}/edits`, {})
    await client.ask('POST', `google/${APP}/edits`, {})
    const { message } = await client.ask('POST', `google/${APP}/edits/${id}/commit`, {})
    return [message, 'This Edit has been deleted']
  },
  async 'an edit expires'() {
    const client = google()
    const { id } = await client.ask('POST', `google/${APP}/edits`, {})
    client.now += 2 * HOUR
    const { message } = await client.ask('POST', `google/${APP}/edits/${id}/commit`, {})
    return [message, 'This edit has expired']
  },
  async 'a user fraction is above 0 and below 1'() {
    const client = google()
    const codes = []
    for (const fraction of [0, 1, 1.5])
      codes.push((await commit(client, [staged(101, fraction)])).code)
    return [codes, ['fractionInvalid', 'fractionInvalid', 'fractionInvalid']]
  },
  async 'and stands with what is staged alone'() {
    const { code } = await commit(google(), [{ ...whole(101), userFraction: 0.5 }])
    return [code, 'fractionNotAllowed']
  },
  async 'a commit calls a review off, unless it is told to fail'() {
    const client = google()
    await commit(client, [whole(101)])
    const told = (await commit(client, [whole(102)])).code
    const { id } = await client.ask('POST', `google/${APP}/edits`, {})
    const usual = await client.ask('POST', `google/${APP}/edits/${id}/commit`, {})
    return [
      [told, usual.status],
      ['inReview', 200],
    ]
  },
  async 'an app that was never published takes drafts alone'() {
    const { message } = await commit(google({}, { isDraftApp: true }), [whole(101)])
    return [message, 'Only releases with status draft may be created on draft app']
  },
  async 'the first release of a track is not staged'() {
    const { message } = await commit(google({}, { hasBeenOut: [] }), [staged(101, 0.1)])
    return [message, 'The first release on a track cannot be staged']
  },
  async 'what all have is not staged again'() {
    const client = google()
    await commit(client, [whole(101)])
    client.now += DAY
    return [(await commit(client, [staged(101, 0.5)])).code, 'fullyReleased']
  },
  async 'but it can be halted'() {
    const client = google()
    await commit(client, [whole(101)])
    client.now += DAY
    return [(await commit(client, [{ ...whole(101), status: 'halted' }])).status, 200]
  },
  async 'changes that are not sent have to say so where they are sent by hand'() {
    const client = google({ isSentByHand: true })
    const refused = (await commit(client, [whole(101)])).code
    const said = { query: '&changesNotSentForReview=true' }
    const taken = (await commit(client, [whole(101)], said)).status
    const [{ releaseLifecycleState }] = await shown(client)
    return [
      [refused, taken, releaseLifecycleState],
      ['notSentAutomatically', 200, 'NOT_SENT_FOR_REVIEW'],
    ]
  },
  async 'a release that is staged takes over the one that is staged below it'() {
    const client = google()
    for (const code of [101, 102]) {
      const before = (await shown(client)).map(({ versionCodes }: any) =>
        staged(versionCodes[0], 0.1)
      )
      await commit(client, [...before, staged(code, 0.1)])
      client.now += DAY
    }
    return [(await shown(client)).map(({ versionCodes }: any) => versionCodes[0]), ['102']]
  },
  async 'users cannot be brought to a lower version code'() {
    const client = google()
    await commit(client, [whole(102)])
    client.now += DAY
    return [(await commit(client, [whole(101)])).code, 'notUpgradable']
  },
  async 'release notes have 500 characters'() {
    const notes = [{ language: 'en-US', text: 'x'.repeat(501) }]
    const { code } = await commit(google(), [{ ...whole(101), releaseNotes: notes }])
    return [code, 'textTooLong']
  },
  async 'lists tell of a commit after a while'() {
    const client = google({ lagMs: 30_000 })
    await commit(client, [whole(101)])
    const early = (await shown(client)).length
    client.now += 30_000
    return [
      [early, (await shown(client)).length],
      [0, 1],
    ]
  },
  async 'published includes what is rolled out in part, and what was halted'() {
    const client = google()
    await commit(client, [staged(101, 0.2)])
    client.now += DAY
    const part = (await shown(client))[0].releaseLifecycleState
    await commit(client, [{ ...staged(101, 0.2), status: 'halted' }])
    return [
      [part, (await shown(client))[0].releaseLifecycleState],
      ['PUBLISHED', 'PUBLISHED'],
    ]
  },
}

for (const [store, facts] of Object.entries({ 'App Store': APPLE, 'Google Play': GOOGLE })) {
  test.group(`The ${store} that is simulated`, () => {
    for (const [fact, look] of Object.entries(facts)) {
      test(fact, async ({ assert }) => {
        const [found, wanted] = await look()
        assert.deepEqual(found, wanted)
      })
    }
  })
}

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
