import { HOUR } from '#foundation/core/durations'
import { uploadBundle } from '#simulated-providers/play_releases'
import { isPlayRefused, USUAL_PLAY, type PlaySettings } from '#simulated-providers/play_state'
import { newWorld } from '../world/world.js'
import { testFacts, type Facts } from './support/facts.js'
import { BEGIN, DAY } from './support/played_world.js'
import { WorldClient } from './support/train.js'

/** Facts about Google Play, as a plugin sees it over HTTP. */
const APP = 'com.acme.shop'

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

/** Returns the answer to a commit of one release. */
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
  async 'a commit cancels a review, unless it is asked to fail'() {
    const client = google()
    await commit(client, [whole(101)])
    const reported = await commit(client, [whole(102)])
    const { id } = await client.ask('POST', `google/${APP}/edits`, {})
    const usual = await client.ask('POST', `google/${APP}/edits/${id}/commit`, {})
    const { status, error } = reported
    return [
      [status, error.status, error.details[0].reason, usual.status],
      [400, 'FAILED_PRECONDITION', 'CHANGES_ALREADY_IN_REVIEW', 200],
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
  async 'but it can be halted, so that the one before it is served again'() {
    const client = google()
    for (const code of [101, 102]) {
      await commit(client, [whole(code)])
      client.now += DAY
    }
    const halted = { ...whole(102), status: 'halted' }
    const { status } = await commit(client, [halted])
    const { items } = await client.ask('GET', `google/${APP}/tracks/production/releases`)
    return [
      [status, items.map((each: any) => `${each.versionCodes[0]} ${each.status}`)],
      [200, ['101 completed', '102 halted']],
    ]
  },
  async 'and be resumed at any share'() {
    const client = google()
    await commit(client, [whole(101)])
    client.now += DAY
    await commit(client, [{ ...whole(101), status: 'halted' }])
    return [(await commit(client, [staged(101, 0.3)])).releases[0].userFraction, 0.3]
  },
  async 'but not the first of a track'() {
    const client = google({}, { hasBeenOut: [] })
    await commit(client, [whole(101)])
    client.now += DAY
    return [(await commit(client, [{ ...whole(101), status: 'halted' }])).code, 'firstNotHalted']
  },
  async 'lists leave out what was replaced, unless they are asked for it'() {
    const client = google()
    for (const code of [101, 102]) {
      await commit(client, [whole(code)])
      client.now += DAY
    }
    const at = `google/${APP}/tracks/production/releases`
    const codes = async (query: string) =>
      (await client.ask('GET', at + query)).items.map((each: any) => each.versionCodes[0])
    return [
      [await codes(''), await codes('?obsolete=true')],
      [['102'], ['101', '102']],
    ]
  },
  async 'changes that are not sent have to say so where they are sent by hand'() {
    const client = google({ isSentByHand: true })
    const refused = (await commit(client, [whole(101)])).code
    const notSent = { query: '&changesNotSentForReview=true' }
    const taken = (await commit(client, [whole(101)], notSent)).status
    const [{ releaseLifecycleState, waitsForSending }] = await shown(client)
    return [
      [refused, taken, releaseLifecycleState, waitsForSending],
      ['notSentAutomatically', 200, 'NOT_SENT_FOR_REVIEW', true],
    ]
  },
  async 'and must not say so where they are not; either way the edit is lost'() {
    const client = google()
    const { id } = await client.ask('POST', `google/${APP}/edits`, {})
    const at = `google/${APP}/edits/${id}/commit`
    const { status, message } = await client.ask('POST', `${at}?changesNotSentForReview=true`, {})
    const lost = (await client.ask('POST', at, {})).code
    return [
      [status, message, lost],
      [
        400,
        'Changes are sent for review automatically. The query parameter changesNotSentForReview must not be set',
        'editDeleted',
      ],
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
  async 'lists show a commit after a while'() {
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

testFacts('Google Play', GOOGLE)
