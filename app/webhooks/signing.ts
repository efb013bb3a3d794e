import { createHmac, createPrivateKey, createPublicKey, randomBytes, sign } from 'node:crypto'

/**
 * A key that signs attempts, in the text forms of Standard Webhooks 1.0:
 * `whsec_` and the base64 of 32 bytes for `v1`; `whsk_` and the base64 of
 * seed and public key (64 bytes) for `v1a`.
 */
export type SigningKey = string

const HMAC_PREFIX = 'whsec_'
const PRIVATE_PREFIX = 'whsk_'
const PUBLIC_PREFIX = 'whpk_'
const KEY_BYTES = 32

/** The bytes before the 32 bytes of an Ed25519 seed in PKCS #8 (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Returns a new symmetric secret of 32 random bytes. */
export function newSecret(): SigningKey {
  return HMAC_PREFIX + randomBytes(KEY_BYTES).toString('base64')
}

/** Returns a new Ed25519 key pair; receivers verify with the public key. */
export function newKeyPair(): { privateKey: SigningKey; publicKey: string } {
  const seed = randomBytes(KEY_BYTES)
  const spki = createPublicKey(privateKeyOf(seed)).export({ format: 'der', type: 'spki' })
  const point = spki.subarray(spki.length - KEY_BYTES)
  return {
    privateKey: PRIVATE_PREFIX + Buffer.concat([seed, point]).toString('base64'),
    publicKey: PUBLIC_PREFIX + point.toString('base64'),
  }
}

/** Returns the `whpk_` key that belongs to a `whsk_` key. */
export function publicKeyOf(key: SigningKey): string {
  return (
    PUBLIC_PREFIX +
    bytesOf(key, PRIVATE_PREFIX, 2 * KEY_BYTES)
      .subarray(KEY_BYTES)
      .toString('base64')
  )
}

/** The signed content: a message, and the time of its attempt in milliseconds since the epoch. */
interface SignedMessage {
  id: string
  attemptedAt: number
  body: Buffer
}

/**
 * Returns the three headers of an attempt, with one signature per key in the given order, by
 * convention newest first.
 * @throws Error if a key is malformed or there is none
 */
export function signatureHeaders(
  message: SignedMessage,
  keys: SigningKey[]
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  if (keys.length === 0) throw new Error('A webhook is never sent without a signature')
  const timestamp = String(Math.floor(message.attemptedAt / 1000))
  const content = Buffer.concat([Buffer.from(`${message.id}.${timestamp}.`), message.body])
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': keys.map((key) => signatureOf(content, key)).join(' '),
  }
}

function signatureOf(content: Buffer, key: SigningKey): string {
  if (key.startsWith(HMAC_PREFIX)) {
    const secret = bytesOf(key, HMAC_PREFIX, KEY_BYTES)
    return `v1,${createHmac('sha256', secret).update(content).digest('base64')}`
  }
  const seed = bytesOf(key, PRIVATE_PREFIX, 2 * KEY_BYTES).subarray(0, KEY_BYTES)
  return `v1a,${sign(null, content, privateKeyOf(seed)).toString('base64')}`
}

function privateKeyOf(seed: Buffer) {
  return createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' })
}

function bytesOf(key: SigningKey, prefix: string, length: number): Buffer {
  const bytes = key.startsWith(prefix) ? Buffer.from(key.slice(prefix.length), 'base64') : null
  if (bytes?.length !== length) throw new Error(`A signing key is not in its "${prefix}" form`)
  return bytes
}
