import { createPublicKey, verify, type KeyObject } from 'node:crypto'
import { Refusal } from './json_api.js'

/** Apple refuses tokens with a longer lifetime, and those issued in the future. */
const MAX_SECONDS = 20 * 60
const SKEW_SECONDS = 60

export interface FakeKey {
  /** PEM, SPKI. */
  publicKey: string
  /** Null for an individual key. */
  issuerId: string | null
  /** True if the role of the key can neither change anything nor see submissions. */
  isReadOnly?: boolean
}

interface Claims {
  iss?: string
  sub?: string
  aud?: string
  iat?: number
  exp?: number
}

const unauthorized = () =>
  new Refusal(401, {
    code: 'NOT_AUTHORIZED',
    title: 'Authentication credentials are missing or invalid.',
    detail:
      'Provide a properly configured and signed bearer token, and make sure that it has not expired.',
  })

/** Verifies a request's token and returns its key. @throws Refusal */
export function keyOf(
  request: Request,
  keys: ReadonlyMap<string, FakeKey>,
  nowMs: number
): FakeKey {
  const token = request.headers.get('authorization')?.replace('Bearer ', '') ?? ''
  const [header = '', payload = '', signature = ''] = token.split('.')
  const { kid = '', alg } = parse(header) as { kid?: string; alg?: string }
  const key = keys.get(kid)
  if (!key || alg !== 'ES256') throw unauthorized()
  const isSigned = verify(
    'sha256',
    Buffer.from(`${header}.${payload}`),
    { key: publicKeyOf(key.publicKey), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url')
  )
  const { iss, sub, aud, iat = 0, exp = 0 } = parse(payload) as Claims
  const now = nowMs / 1000
  const isOwn = key.issuerId === null ? sub === 'user' && iss === undefined : iss === key.issuerId
  const isTimely = iat <= now + SKEW_SECONDS && exp > now && exp - iat <= MAX_SECONDS
  if (isSigned && isOwn && isTimely && aud === 'appstoreconnect-v1') return key
  throw unauthorized()
}

const publicKeys = new Map<string, KeyObject>()

function publicKeyOf(pem: string): KeyObject {
  const key = publicKeys.get(pem) ?? createPublicKey(pem)
  publicKeys.set(pem, key)
  return key
}

function parse(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) ?? {}
  } catch {
    return {}
  }
}
