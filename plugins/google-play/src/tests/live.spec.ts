import { test } from '@japa/runner'
import { liveAccount, LiveProvider, tryLive } from '@tarmac/plugin-kit/testing'
import { GooglePlayFake } from '../fake/google_fake.js'
import { sampleScenario } from '../fake/sample_scenario.js'
import plugin from '../plugin.js'
import { keyFileOf } from './support/accounts.js'
import { options } from './support/options.js'

/*
 * The live test with the fake instead of a real account: which calls it makes, and which requests it
 * lets through.
 */

const ENVIRONMENT = {
  LIVE_GOOGLE_PLAY_SERVICE_ACCOUNT: keyFileOf('tarmac').serviceAccount,
  LIVE_GOOGLE_PLAY_BUNDLE_ID: 'com.acme.app',
  LIVE_GOOGLE_PLAY_PROJECT_ID: 'com.acme.app',
}

function seeded(): GooglePlayFake {
  const fake = new GooglePlayFake(Date.now)
  fake.seed(sampleScenario())
  return fake
}

test.group('Google Play with a real account', () => {
  test('checks its assumptions by reading, and changes nothing', async ({ assert }) => {
    const fake = seeded()
    const before = JSON.stringify(fake.state())
    const account = liveAccount(plugin, ENVIRONMENT)!
    assert.deepEqual(account.missing, [])
    const out = async (request: Request) => fake.answer(request)
    const findings = await tryLive(options, account, out as typeof fetch)
    assert.deepEqual(
      findings.filter(({ outcome }) => outcome === 'contradicted'),
      []
    )
    const confirmed = findings
      .filter(({ outcome }) => outcome === 'confirmed')
      .map(({ title }) => title)
    assert.includeMembers(confirmed, [
      'the credentials are known',
      'other credentials are not',
      'appStore: versions have known states',
      'edits.tracks.list is as published',
    ])
    assert.equal(JSON.stringify(fake.state()), before)
    assert.equal(fake.edits.open, 0)
  })

  test('lets no request through that could change something', async ({ assert }) => {
    const fake = seeded()
    const out = (async (request: Request) => fake.answer(request)) as typeof fetch
    const provider = new LiveProvider(plugin, out, options.alsoReads)
    const send = (method: string, path: string) =>
      provider.answer(
        new Request(`https://androidpublisher.googleapis.com/androidpublisher/v3/${path}`, {
          method,
        })
      )
    const app = 'applications/com.acme.app'
    for (const [method, path] of [
      ['POST', `${app}/edits/1:commit`],
      ['PUT', `${app}/edits/1/tracks/production`],
      ['PATCH', `${app}/edits/1/listings/en-US`],
      ['POST', `${app}/reviews/R1:reply`],
    ]) {
      await assert.rejects(() => send(method, path), /is not a read/)
    }
    assert.lengthOf(fake.requests(), 0)
  })
})
