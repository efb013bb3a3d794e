import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import { sampleScenario } from '@tarmac/plugin-google-play/fake'
import { clock } from '#foundation/core/services'
import { replaceIntegrations } from '#integrations/store_integrations'
import { connect } from '#integrations/tests/support/connect'
import { passMinutes, passToNight, tidy } from '#stores/tests/support'
import { makeApp } from './support/app_fixture.js'
import { isLong } from './support/effort.js'
import { credentials, makeGooglePlay, reached } from './support/google_play.js'
import { loadTestPlugins } from './support/plugins/index.js'
import { makeWorld } from './support/world.js'

/*
 * Counts the service's own requests to Google Play against the quotas of an app, while a release is
 * under way and users write more reviews than one page holds.
 */

const HOURS = isLong ? 24 : 3
/** Google's quota of an app for reads of reviews, in an hour, and for all queries, in a minute. */
const REVIEWS_PER_HOUR = 200
const QUERIES_PER_MINUTE = 3000
const SHARE_OF_PEOPLE = 0.3

/** Reviews from the beginning on: some pages of a hundred. */
const REVIEWS = 450

const review = (number: number) => ({
  ...{ id: `R${number}`, rating: 1 + (number % 5), text: `Review ${number}`, reply: null },
  at: new Date(clock.milliseconds() - REVIEWS + number).toISOString(),
})

/** Makes an app with a release under way whose last version has many reviews. */
async function makeReviewed() {
  passToNight()
  const fake = (reached.google = makeGooglePlay())
  const scenario = sampleScenario()
  const reviews = Array.from({ length: REVIEWS }, (_, number) => review(number))
  scenario.appStore!.reviews = reviews
  fake.seed(scenario)
  await loadTestPlugins({ paper: () => import('@tarmac/plugin-google-play') })
  const world = await makeWorld()
  const steps = (['kickoff', 'submission', 'takeoff', 'rollout'] as const).map((type) => ({
    type,
    releaseTypes: { standard: { required: true } },
  }))
  const appId = await makeApp(world, { platform: 'android', steps })
  const { id: provider } = await connect(world, 'google-play', { credentials })
  const data = { bundleId: 'com.acme.app' }
  await world.write((scope) =>
    replaceIntegrations(scope, appId, [
      { key: 'store', type: 'google', kind: 'appStore', provider, data },
      { key: 'beta', type: 'google-beta', kind: 'betaTesting', provider, data },
    ])
  )
  for (const version of ['1.2.3', '1.3.0']) {
    await world.admin.post(`/app/${appId}/release`, { version })
    await world.admin.put(`/app/${appId}/release/${appId}:${version}/kickoff`)
  }
  return { fake, reviews }
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0)

test.group('Google Play and its quotas', (group) => {
  group.each.teardown(async () => {
    reached.google = null
    await tidy()
  })

  test(`an app with many reviews stays within its quotas for ${HOURS} h, and leaves people a share`, async ({
    assert,
  }) => {
    const { fake, reviews } = await makeReviewed()
    const worker = await app.container.make('jobs.worker')
    const [all, ofReviews]: number[][] = [[], []]
    for (let minute = 0; minute < HOURS * 60; minute++) {
      const before = fake.requests().length
      passMinutes(1)
      // There is always a new one, so reviews are polled as often as they ever are.
      reviews.push(review(REVIEWS + minute))
      for (let turns = 0; turns < 20; turns++) if ((await worker.turn()) === 0) break
      const made = fake.requests().slice(before)
      all.push(made.length)
      const reads = made.filter(({ method, url }) => method === 'GET' && /\/reviews\b/.test(url))
      ofReviews.push(reads.length)
    }
    const hours = ofReviews.map((_, minute) => sumOf(ofReviews.slice(minute, minute + 60)))
    assert.isAtMost(Math.max(...hours), REVIEWS_PER_HOUR * (1 - SHARE_OF_PEOPLE))
    assert.isAtMost(Math.max(...all), QUERIES_PER_MINUTE * (1 - SHARE_OF_PEOPLE))
    // They are read all the time, page by page.
    assert.isAtLeast(sumOf(ofReviews), HOURS * 2 * Math.ceil(REVIEWS / 100) - 5)
  }).timeout(isLong ? 1_800_000 : 120_000)
})
