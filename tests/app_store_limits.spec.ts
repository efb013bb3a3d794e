import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import plugin from '@tarmac/plugin-app-store-connect'
import { sampleScenario } from '@tarmac/plugin-app-store-connect/fake'
import { clock } from '#foundation/core/services'
import { replaceIntegrations } from '#integrations/store_integrations'
import { connect } from '#integrations/tests/support/connect'
import { passMinutes, passToNight, tidy } from '#stores/tests/support'
import { makeApp } from './support/app_fixture.js'
import { credentials, makeAppStore, reached } from './support/app_store.js'
import { isLong } from './support/effort.js'
import { loadTestPlugins } from './support/plugins/index.js'
import { makeWorld } from './support/world.js'

/*
 * Counts the service's own requests to App Store Connect against the limit of a key: many apps share
 * one key, each with a release under way, while time passes.
 */

/** So many apps would exceed the limit if the service did not throttle them. */
const APPS = isLong ? 100 : 50
const HOURS = isLong ? 24 : 1
/** Apple's limit of a key, in requests per rolling hour, and the share reserved for people. */
const LIMIT_PER_HOUR = 3500
const SHARE_OF_PEOPLE = 0.3

/**
 * The times of all requests in milliseconds, the number that were refused, and the number that
 * looked up an app.
 */
const counted: { asked: number[]; refused: number; lookups: number } = {
  asked: [],
  refused: 0,
  lookups: 0,
}

let lastLookup = Promise.resolve()

/** The fake has one app. Each lookup gives it the bundle id asked for, one lookup at a time. */
const answerToEach: typeof reached.before = (request, respond) => {
  const { pathname, searchParams } = new URL(request.url)
  if (pathname !== '/v1/apps') return respond()
  counted.lookups += 1
  const answered = lastLookup.then(() => {
    reached.apple!.world.bundleId = searchParams.get('filter[bundleId]')!
    return respond()
  })
  lastLookup = answered.then(() => undefined)
  return answered
}

/** Makes apps that share one key, each with a release that is kicked off. */
async function manyApps(count: number): Promise<void> {
  passToNight()
  const apple = (reached.apple = makeAppStore(() => clock.milliseconds()))
  apple.seed(sampleScenario())
  Object.assign(counted, { asked: [], refused: 0, lookups: 0 })
  reached.before = answerToEach
  reached.answered = ({ status }) => {
    counted.asked.push(clock.milliseconds())
    if (status === 429) counted.refused += 1
  }
  // The limits within a minute are left out: their waits take real time.
  const { bursts, ...rate } = plugin.manifest.rate
  const manifest = { ...plugin.manifest, rate }
  await loadTestPlugins({ paper: async () => ({ default: { ...plugin, manifest } }) })
  const world = await makeWorld()
  const { id: provider } = await connect(world, 'app-store-connect', { credentials })
  const steps = (['kickoff', 'submission', 'storeReview', 'takeoff'] as const).map((type) => ({
    type,
    releaseTypes: { standard: { required: true } },
  }))
  for (let number = 1; number <= count; number++) {
    const appId = await makeApp(world, { platform: 'ios', steps })
    // Each app has a store of its own. Without `x-apple-id`, a poll needs one more request, which
    // looks up the app.
    const data = { bundleId: `com.acme.app${number}` }
    await world.write((scope) =>
      replaceIntegrations(scope, appId, [
        { key: 'store', type: 'apple', kind: 'appStore', provider, data },
        { key: 'beta', type: 'apple-beta', kind: 'betaTesting', provider, data },
      ])
    )
    await world.admin.post(`/app/${appId}/release`, { version: '1.3.0' })
    const kicked = await world.admin.put(`/app/${appId}/release/${appId}:1.3.0/kickoff`)
    if (kicked.status !== 200) throw new Error(kicked.text)
  }
}

async function pass(hours: number): Promise<void> {
  const worker = await app.container.make('jobs.worker')
  for (let minute = 0; minute < hours * 60; minute++) {
    passMinutes(1)
    for (let turns = 0; turns < 20; turns++) if ((await worker.turn()) === 0) break
  }
}

/** Returns the largest number of requests in any rolling hour. */
function busiestHour(requested: readonly number[]): number {
  let [from, most] = [0, 0]
  for (const [index, at] of requested.entries()) {
    while (requested[from] <= at - 3_600_000) from += 1
    most = Math.max(most, index - from + 1)
  }
  return most
}

test.group('App Store Connect and many apps', (group) => {
  group.each.setup(tidy)
  group.each.teardown(async () => {
    reached.apple = null
    reached.before = (_, respond) => respond()
    reached.answered = () => {}
    await tidy()
  })

  test(`${APPS} apps in ${HOURS} h stay within the limit of their key, and leave people a share`, async ({
    assert,
  }) => {
    await manyApps(APPS)
    await pass(HOURS)
    const { asked: requested, refused, lookups } = counted
    assert.equal(refused, 0)
    assert.isAtMost(busiestHour(requested), LIMIT_PER_HOUR * (1 - SHARE_OF_PEOPLE))
    // Each app is still polled.
    assert.isAbove(requested.length - lookups, APPS * HOURS * 6)
    // A poll looks up its app at most once.
    const polls = requested.length - lookups
    assert.isAbove(lookups, polls / 2)
    assert.isAtMost(lookups, polls * 1.05)
    const read = await db.from('store_records').whereNotNull('polled_at')
    assert.isAtLeast(read.length, APPS)
  }).timeout(isLong ? 1_800_000 : 120_000)
})
