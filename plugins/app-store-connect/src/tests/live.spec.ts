import { test } from '@japa/runner'
import { liveAccount, LiveProvider, tryLive } from '@tarmac/plugin-kit/testing'
import { sampleScenario } from '../fake/sample_scenario.js'
import plugin from '../plugin.js'
import { contractOfApple } from './support/contract.js'
import { credentials, makeFakeOfNow } from './support/keys.js'

/*
 * The live test with the fake instead of a real account: which calls it makes, and which requests it
 * lets through.
 */

const ENVIRONMENT = {
  LIVE_APP_STORE_CONNECT_ISSUER_ID: credentials.good.issuerId,
  LIVE_APP_STORE_CONNECT_KEY_ID: credentials.good.keyId,
  LIVE_APP_STORE_CONNECT_PRIVATE_KEY: credentials.good.privateKey,
  LIVE_APP_STORE_CONNECT_BUNDLE_ID: 'com.acme.app',
}

const contract = async () => ({ default: contractOfApple() })

test.group('App Store Connect with a real account', () => {
  test('checks its assumptions by reading, and changes nothing', async ({ assert }) => {
    const fake = makeFakeOfNow()
    fake.seed(sampleScenario())
    const before = JSON.stringify(fake.state())
    const account = liveAccount(plugin, ENVIRONMENT)!
    assert.deepEqual(account.missing, [])
    const out = async (request: Request) => fake.answer(request)
    const findings = await tryLive({ plugin, contract }, account, out as typeof fetch)
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
      'GET /v1/apps is as published',
    ])
    assert.equal(JSON.stringify(fake.state()), before)
  })

  test('lets no request through that could change something', async ({ assert }) => {
    const fake = makeFakeOfNow()
    const out = (async (request: Request) => fake.answer(request)) as typeof fetch
    const provider = new LiveProvider(plugin, out)
    for (const [method, path] of [
      ['POST', 'appStoreVersionReleaseRequests'],
      ['PATCH', 'reviewSubmissions/1'],
      ['DELETE', 'appStoreVersionPhasedReleases/1'],
    ]) {
      const request = new Request(`https://api.appstoreconnect.apple.com/v1/${path}`, { method })
      await assert.rejects(() => provider.answer(request), /is not a read/)
    }
    assert.lengthOf(fake.requests(), 0)
  })
})
