import { test } from '@japa/runner'
import { Webhook } from 'standardwebhooks'
import { newKeyPair, newSecret, signatureHeaders } from '../../../app/webhooks/signing.js'
import { verifyWebhook, WebhookError } from '../webhooks.js'

const BODY = '{"id":"evt_1","eventType":"release.created","note":"café"}'

/** Returns the headers that the service sends with an event. */
const signed = (keys: string[], { id = 'evt_1', age = 0, body = BODY } = {}) =>
  signatureHeaders({ id, attemptedAt: Date.now() - age * 1000, body: Buffer.from(body) }, keys)

test.group('A webhook', () => {
  test('is accepted if it is signed with the secret, or with the key of v1a', async ({
    assert,
  }) => {
    const secret = newSecret()
    const { privateKey, publicKey } = newKeyPair()
    const headers = signed([secret, privateKey])
    assert.match(headers['webhook-signature'], /^v1,\S+ v1a,\S+$/)
    for (const keys of [
      secret,
      publicKey,
      [newSecret(), publicKey],
      [newKeyPair().publicKey, secret],
      ['whpk_%%', 'whpk_AAAA', publicKey],
    ]) {
      for (const given of [
        headers,
        new Headers(headers),
        { 'Webhook-Id': headers['webhook-id'], ...headers },
      ])
        assert.equal((await verifyWebhook(BODY, given, keys)).id, 'evt_1')
    }
  })

  test('is refused with another key, body, id, a broken signature, or none', async ({ assert }) => {
    const secret = newSecret()
    const { privateKey, publicKey } = newKeyPair()
    const headers = signed([secret, privateKey])
    const broken = { ...headers, 'webhook-signature': 'v1,%% v1a,%% v1a, v2,x' }
    for (const key of [secret, publicKey, 'whpk_%%', 'whpk_AAAA']) {
      for (const [body, given] of [
        [`${BODY} `, headers],
        [BODY, { ...headers, 'webhook-id': 'evt_2' }],
        [BODY, broken],
        [BODY, {}],
        [BODY, signed([newSecret(), newKeyPair().privateKey])],
      ] as const) {
        const refused = await verifyWebhook(body, given, key).catch((error: unknown) => error)
        assert.instanceOf(refused, WebhookError)
      }
    }
  })

  test('is refused more than five minutes before or after it was sent', async ({ assert }) => {
    const secret = newSecret()
    const { privateKey, publicKey } = newKeyPair()
    for (const age of [310, -310]) {
      const headers = signed([secret, privateKey], { age })
      for (const key of [secret, publicKey])
        await assert.rejects(() => verifyWebhook(BODY, headers, key))
    }
  })

  test('of another sender by the same standard is verified too', async ({ assert }) => {
    const secret = newSecret()
    const at = new Date()
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign('msg_1', at, BODY),
    }
    assert.equal((await verifyWebhook(BODY, headers, secret)).id, 'evt_1')
  })
})
