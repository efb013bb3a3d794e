import { createPublicKey, verify } from 'node:crypto'
import { test } from '@japa/runner'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { SystemClock } from '#foundation/core/clock'
import { newKeyPair, newSecret, publicKeyOf, signatureHeaders } from '#webhooks/signing'

const body = Buffer.from('{"type":"release.kickedOff","name":"été 🚀"}')
const verifiers = { standardwebhooks: StandardWebhook, svix: SvixWebhook }

function message() {
  return { id: 'evt_1', attemptedAt: new SystemClock().milliseconds(), body }
}

for (const [name, Verifier] of Object.entries(verifiers)) {
  test.group(`Signing, verified by ${name}`, () => {
    test('a signed message is accepted', ({ assert }) => {
      const secret = newSecret()
      const headers = signatureHeaders(message(), [secret])
      assert.doesNotThrow(() => new Verifier(secret).verify(body, headers))
    })

    test('every live key signs, so that old and new secrets both verify', ({ assert }) => {
      const secrets = [newSecret(), newSecret(), newSecret()]
      const headers = signatureHeaders(message(), secrets)
      for (const secret of secrets) {
        assert.doesNotThrow(() => new Verifier(secret).verify(body, headers))
      }
      assert.throws(() => new Verifier(newSecret()).verify(body, headers))
    })

    test('an additional v1a signature does not disturb the verification of v1', ({ assert }) => {
      const secret = newSecret()
      const headers = signatureHeaders(message(), [newKeyPair().privateKey, secret])
      assert.doesNotThrow(() => new Verifier(secret).verify(body, headers))
    })

    test('a changed body, id or timestamp is refused', ({ assert }) => {
      const secret = newSecret()
      const verifier = new Verifier(secret)
      const headers = signatureHeaders(message(), [secret])
      const timestamp = String(Number(headers['webhook-timestamp']) - 1)
      assert.throws(() => verifier.verify(Buffer.concat([body, Buffer.from(' ')]), headers))
      assert.throws(() => verifier.verify(body, { ...headers, 'webhook-id': 'evt_2' }))
      assert.throws(() => verifier.verify(body, { ...headers, 'webhook-timestamp': timestamp }))
    })

    test('a message with a timestamp of ten minutes ago is refused', ({ assert }) => {
      const secret = newSecret()
      const old = { ...message(), attemptedAt: message().attemptedAt - 600_000 }
      assert.throws(() => new Verifier(secret).verify(body, signatureHeaders(old, [secret])))
    })
  })
}

test.group('Signing keys', () => {
  test('a secret is whsec_ and the base64 of 32 bytes, never the same twice', ({ assert }) => {
    const secret = newSecret()
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.notEqual(secret, newSecret())
  })

  test('v1a verifies with the public key alone', ({ assert }) => {
    const pair = newKeyPair()
    const headers = signatureHeaders(message(), [pair.privateKey])
    const [version, signature] = headers['webhook-signature'].split(',')
    const x = Buffer.from(pair.publicKey.slice('whpk_'.length), 'base64').toString('base64url')
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    const content = `evt_1.${headers['webhook-timestamp']}.${body}`
    assert.equal(version, 'v1a')
    assert.isTrue(verify(null, Buffer.from(content), key, Buffer.from(signature, 'base64')))
    assert.equal(publicKeyOf(pair.privateKey), pair.publicKey)
  })

  test('a missing or malformed key is an error, never an unsigned message', ({ assert }) => {
    assert.throws(() => signatureHeaders(message(), []), /without a signature/)
    assert.throws(() => signatureHeaders(message(), ['whsec_c2hvcnQ=']), /not in its/)
    assert.throws(() => signatureHeaders(message(), ['nonsense']), /not in its/)
  })
})
