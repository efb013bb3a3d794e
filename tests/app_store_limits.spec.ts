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
 * The service's own requests to App Store Connect, counted against the limit of a key: many apps of
 * one key, each with a release that is under way, while time passes.
 */

/** Already so many apps would ask more than they may, if nobody held them. */
const APPS = isLong ? 100 : 50
const HOURS = isLong ? 24 : 1
/** Apple's limit of a key, in requests of any hour; people keep a share of it. */
const AN_HOUR = 3500
const FOR_PEOPLE = 0.3

/**
 * Times of requests, in milliseconds, and the numbers of those that were refused, and that asked
 * which app it is.
 */
const counted: { asked: number[]; refused: number; lookups: number } = {
  asked: [],
  refused: 0,
  lookups: 0,
}

let turn = Promise.resolve()

/** The fake has one app, which has the bundle id that is asked for, one request after the other. */
const answerToEach: typeof reached.before = (request, answer) => {
  const { pathname, searchParams } = new URL(request.url)
  if (pathname !== '/v1/apps') return answer()
  counted.lookups += 1
  const answered = turn.then(() => {
    reached.apple!.world.bundleId = searchParams.get('filter[bundleId]')!
    return answer()
  })
  turn = answered.then(() => undefined)
  return answered
}

/** So many apps of one key, each with a release that is kicked off. */
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
  // Requests within a minute wait in the time of the machine.
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
    // Stores of their own, which the fake answers as one. Without `x-apple-id` a look costs one
    // request more, which asks for the app.
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

/** The most requests in any hour. */
function busiestHour(asked: readonly number[]): number {
  let [from, most] = [0, 0]
  for (const [index, at] of asked.entries()) {
    while (asked[from] <= at - 3_600_000) from += 1
    most = Math.max(most, index - from + 1)
  }
  return most
}

test.group('App Store Connect and many apps', (group) => {
  group.each.setup(tidy)
  group.each.teardown(async () => {
    reached.apple = null
    reached.before = (_, answer) => answer()
    reached.answered = () => {}
    await tidy()
  })

  test(`${APPS} of them for ${HOURS} h: a key is asked within its limit, and people keep a share`, async ({
    assert,
  }) => {
    await manyApps(APPS)
    await pass(HOURS)
    const { asked, refused, lookups } = counted
    assert.equal(refused, 0)
    assert.isAtMost(busiestHour(asked), AN_HOUR * (1 - FOR_PEOPLE))
    // Each is looked at all the same.
    assert.isAbove(asked.length - lookups, APPS * HOURS * 6)
    // Without the number of the app each look costs one request more, and no look two.
    const looks = asked.length - lookups
    assert.isAbove(lookups, looks / 2)
    assert.isAtMost(lookups, looks * 1.05)
    const read = await db.from('store_records').whereNotNull('polled_at')
    assert.isAtLeast(read.length, APPS)
  }).timeout(isLong ? 1_800_000 : 120_000)
})
