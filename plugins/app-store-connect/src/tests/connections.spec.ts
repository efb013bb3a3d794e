import { test } from '@japa/runner'
import { Bench } from '@tarmac/plugin-kit/testing'
import type { AppStoreConnectFake } from '../fake/app_store_connect_fake.js'
import plugin from '../plugin.js'
import webhooks from '../webhooks.js'
import { credentials, data, makeFake, personal } from './support/keys.js'
import { contractFaults, refusal, scenarioWith, stageWith } from './support/stage.js'

const check = async (good: Record<string, string>, skewMs = 0) => {
  const options = { plugin, fake: makeFake, credentials: { good, bad: {} }, data }
  const bench = new Bench(options, Date.parse('2026-11-20T12:00:00.000Z') + skewMs)
  bench.seed(scenarioWith(null))
  const { default: lifecycle } = await plugin.lifecycle()
  return { bench, answer: lifecycle.check(bench.context(null)) }
}

const claimsOf = (authorization: string) => {
  const [header, payload] = authorization.replace('Bearer ', '').split('.')
  const read = (part: string) =>
    JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>
  return { header: read(header), payload: read(payload) }
}

test.group('App Store Connect | connections', () => {
  test('a team key signs as its issuer, for twelve minutes', async ({ assert }) => {
    const { bench, answer } = await check(credentials.good)
    const { account, missingPermissions } = await answer
    assert.equal(account, 'com.acme.app (team key; its role is not known until first used)')
    assert.deepEqual(missingPermissions, [])
    const [{ headers }] = bench.fake.requests()
    const { header, payload } = claimsOf(headers.authorization)
    assert.deepEqual(header, { alg: 'ES256', typ: 'JWT', kid: credentials.good.keyId })
    const { iat, exp, ...rest } = payload
    assert.equal(Number(exp) - Number(iat), 720)
    assert.deepEqual(rest, { iss: credentials.good.issuerId, aud: 'appstoreconnect-v1' })
  })

  test('a personal key has no issuer', async ({ assert }) => {
    const { bench, answer } = await check(personal)
    assert.match((await answer).account, /key of a person/)
    const { payload } = claimsOf(bench.fake.requests()[0].headers.authorization)
    assert.equal(payload.sub, 'user')
    assert.notProperty(payload, 'iss')
  })

  test('a key that was revoked is unauthorized, and says what to do', async ({ assert }) => {
    const { bench, fake, store } = await stageWith()
    fake.keys.clear()
    const { code, message, detail } = await refusal(store.listVersions({}))
    assert.equal(code, 'unauthorized')
    assert.match(message, /does not accept the key: it was revoked.*rotates the connection/)
    assert.equal(detail.vendorCode, 'NOT_AUTHORIZED')
    const { default: lifecycle } = await plugin.lifecycle()
    const checked = await refusal(lifecycle.check(bench.context(null)))
    assert.equal(checked.code, 'unauthorized')
  })

  test('a clock that is wrong by {minutes} minutes is blamed, not the key')
    .with([{ minutes: 30 }, { minutes: -30 }])
    .run(async ({ assert }, { minutes }) => {
      const { answer } = await check(credentials.good, minutes * 60_000)
      const { code, message } = await refusal(answer)
      assert.equal(code, 'unauthorized')
      const side = minutes > 0 ? 'ahead of' : 'behind'
      assert.include(message, `The clock of this machine is 30 minutes ${side} the provider's`)
      assert.include(message, 'Whoever runs the service sets the clock.')
    })

  test('an unsigned agreement is reported', async ({ assert }) => {
    const { fake, store } = await stageWith()
    fake.closed = 'agreement'
    const { code, message, detail } = await refusal(store.listBuilds({}))
    assert.equal(code, 'forbidden')
    assert.match(message, /agreement with Apple.*Account Holder signs it/)
    assert.equal(detail.vendorCode, 'FORBIDDEN.REQUIRED_AGREEMENTS_MISSING_OR_EXPIRED')
  })

  test('a key that may not change anything says so when it is used', async ({ assert }) => {
    const { bench, fake, store } = await stageWith({ state: 'inReview' })
    for (const key of fake.keys.values()) key.isReadOnly = true
    // The key can read versions, but not their submissions.
    const { items } = await store.listVersions({ version: '1.3.0' })
    assert.equal(items[0].status.state, 'inReview')
    assert.isUndefined(items[0].submissionId)
    const { code, message } = await refusal(
      store.setMetadata('v2', [{ locale: 'en-US', whatsNew: 'x' }], bench.mutation())
    )
    assert.equal(code, 'forbidden')
    assert.match(message, /role of the key.*how-to\/connect\/app-store-connect\.md/)
  })

  test('an app that was removed from the account is reported: {what}')
    .with([
      { what: 'found by its bundle ID', more: {} },
      { what: 'named by its number', more: { 'x-apple-id': '1234567890' } },
    ])
    .run(async ({ assert }, { more }) => {
      const options = {
        plugin,
        fake: makeFake,
        credentials,
        data: { appStore: { ...data.appStore, ...more } },
      }
      const bench = new Bench(options)
      bench.seed(scenarioWith(null))
      ;(bench.fake as AppStoreConnectFake).world.isThere = false
      const store = await bench.capability('appStore')
      const { code, message } = await refusal(store.listVersions({}))
      assert.equal(code, 'notFound')
      assert.match(message, /removed from the account.*corrects its bundleId/)
    })

  test('a used-up limit causes a pause, even if Apple states no wait', async ({ assert }) => {
    const { fake, store } = await stageWith()
    fake.setRateLimit(0)
    const used = await refusal(store.listVersions({}))
    assert.equal(used.code, 'quotaExhausted')
    assert.equal(used.detail.retryAfterMs, 120_000)
    const burst = await stageWith({})
    burst.fake.burst = 0
    const texts = [{ locale: 'en-US', whatsNew: 'Newer' }]
    const { detail } = await refusal(burst.store.setMetadata('v2', texts, burst.bench.mutation()))
    assert.equal(detail.outcome, 'notApplied')
    assert.equal(detail.retryAfterMs, 120_000)
  })
})

const HOOK = 'https://tarmac.example/integrations/callbacks/abc'

test.group('App Store Connect | webhooks', () => {
  test('a webhook is made once for an app, renewed, and removed', async ({ assert }) => {
    const { bench, fake } = await stageWith()
    const ctx = bench.context('appStore')
    const first = await webhooks.ensure(ctx, HOOK, 'secret-one')
    const again = await webhooks.ensure(bench.context('betaTesting'), HOOK, 'secret-two')
    assert.deepEqual(again, first)
    assert.lengthOf(fake.world.hooks, 1)
    const [{ secret, enabled, eventTypes }] = fake.world.hooks
    assert.deepEqual({ secret, enabled }, { secret: 'secret-two', enabled: true })
    assert.sameMembers(eventTypes, plugin.manifest.webhooks!.events)
    await webhooks.remove(ctx, first!)
    await webhooks.remove(ctx, first!)
    assert.lengthOf(fake.world.hooks, 0)
    assert.deepEqual(contractFaults(fake.requests()), [])
  })

  test('a failed delivery is sent again, once', async ({ assert }) => {
    const { bench, fake } = await stageWith()
    const ctx = bench.context('appStore')
    await webhooks.ensure(ctx, HOOK, 'secret-one')
    const [hook] = fake.world.hooks
    const sent = (id: string, state: string, hours: number, isRedelivery = false) =>
      hook.deliveries.push({ id, state, at: fake.now - hours * 3_600_000, isRedelivery })
    sent('old', 'FAILED', 30)
    sent('good', 'SUCCEEDED', 2)
    sent('missed', 'FAILED', 1)
    sent('missed again', 'FAILED', 1, true)
    const from = fake.requests().length
    await webhooks.ensure(ctx, HOOK, 'secret-one')
    const redelivered = fake
      .requests()
      .slice(from)
      .filter(({ method }) => method === 'POST')
      .map(({ body }) => body)
    assert.lengthOf(redelivered, 1)
    assert.include(redelivered[0], '"missed"')
    assert.deepEqual(contractFaults(fake.requests()), [])
  })

  test('a delivery names its subject, and a ping has none', async ({ assert }) => {
    const { bench, fake } = await stageWith()
    const read = (event: string) => {
      const { headers, rawBody } = fake.deliverWebhook(event, { secret: 's', at: bench.nowMs })
      return webhooks.parse({ headers, rawBody, receivedAt: new Date(bench.nowMs) })
    }
    const [event] = read('APP_STORE_VERSION_APP_VERSION_STATE_UPDATED')
    assert.deepInclude(event, {
      type: 'APP_STORE_VERSION_APP_VERSION_STATE_UPDATED',
      subject: { id: 'ad7e6298-2570-4ca6-b3cc-f81788e40bdc' },
      hint: { state: 'IN_REVIEW' },
      occurredAt: new Date(bench.nowMs).toISOString(),
    })
    assert.deepEqual(read('WEBHOOK_PING_CREATED'), [])
  })
})
