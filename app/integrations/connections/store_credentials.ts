import { createPrivateKey, type KeyObject } from 'node:crypto'
import { refuse, refuseFields } from '#foundation/core/problems/problem'
import { checkValue } from '#plugin-kit/check_value'
import type { AuthScheme, PluginManifest } from '#plugin-kit/manifest'
import type { AuthUpdate } from '../validators/auth_update.js'
import type { Credentials } from './credentials.js'

/** Well above the key file of a service account. */
const LONGEST_KEY_FILE = 20_000

const SHOWN = 4

type Fault = { pointer: string; code: string; message: string }

/** New credentials of a store, and what tells their key from another. */
export interface StoreCredentials {
  credentials: Credentials
  keyHint: string
}

/**
 * The credentials that a store's plugin takes, of what was sent for it: the key of App Store
 * Connect, or the key file of a service account of Google.
 * @throws conflict when the plugin takes neither; invalid_input for what is no key
 */
export function storeCredentials(
  { auth, name, credentialSchema }: PluginManifest,
  update: AuthUpdate
): StoreCredentials {
  const scheme = auth.find(
    (each) => each.scheme === 'jwt' || each.scheme === 'googleServiceAccount'
  )
  if (!scheme) {
    throw refuse('conflict', { detail: `The credentials of ${name} are changed on the console.` })
  }
  const read = scheme.scheme === 'jwt' ? signingKey(scheme, update) : keyFile(update)
  const { credentials } = read
  const faults = checkValue(credentialSchema, credentials).map(({ path, message }) => {
    const [member, ...rest] = path
    const sent = member === 'serviceAccount' ? 'serviceAccountKey' : member
    return { pointer: `/${[sent, ...rest].join('/')}`, code: 'invalid', message: `It ${message}.` }
  })
  if (faults.length > 0) throw refuseFields(faults)
  return read
}

function signingKey(
  { alg }: Extract<AuthScheme, { scheme: 'jwt' }>,
  { issuerId, keyId, privateKey, serviceAccountKey }: AuthUpdate
): StoreCredentials {
  const faults: Fault[] = []
  if (serviceAccountKey !== undefined) faults.push(notTaken('serviceAccountKey'))
  if (keyId === undefined) faults.push(missing('keyId'))
  if (privateKey === undefined) faults.push(missing('privateKey'))
  else if (!signs(alg, privateKey)) {
    const what = alg === 'ES256' ? 'an elliptic curve (P-256)' : 'RSA'
    const message = `This is no private key of ${what} in PEM.`
    faults.push({ pointer: '/privateKey', code: 'key', message })
  }
  if (faults.length > 0) throw refuseFields(faults)
  const issuer = issuerId === undefined ? {} : { issuerId }
  return { credentials: { ...issuer, keyId, privateKey }, keyHint: hintOf(keyId!) }
}

function keyFile(update: AuthUpdate): StoreCredentials {
  const { serviceAccountKey } = update
  const faults = (['issuerId', 'keyId', 'privateKey'] as const)
    .filter((name) => update[name] !== undefined)
    .map(notTaken)
  const pointer = '/serviceAccountKey'
  if (serviceAccountKey === undefined) faults.push(missing('serviceAccountKey'))
  const file = parsedFile(serviceAccountKey)
  if (serviceAccountKey !== undefined && !file) {
    faults.push({ pointer, code: 'key', message: 'This is no key file of a service account.' })
  } else if (file && !signs('RS256', file.private_key)) {
    const message = 'The private_key is no private key of RSA in PEM.'
    faults.push({ pointer: `${pointer}/private_key`, code: 'key', message })
  }
  if (faults.length > 0) throw refuseFields(faults)
  const serviceAccount = JSON.stringify(file)
  const { private_key_id: id, client_email: email } = file!
  return {
    credentials: { serviceAccount },
    keyHint: hintOf(typeof id === 'string' && id !== '' ? id : email),
  }
}

interface KeyFile {
  client_email: string
  private_key: string
  private_key_id?: unknown
}

function parsedFile(given: unknown): KeyFile | null {
  const text = typeof given === 'string' ? given : JSON.stringify(given ?? null)
  if (text.length > LONGEST_KEY_FILE) return null
  try {
    const file = JSON.parse(text) as Partial<KeyFile> | null
    const isFile = typeof file?.client_email === 'string' && typeof file.private_key === 'string'
    return isFile && file.client_email !== '' ? (file as KeyFile) : null
  } catch {
    return null
  }
}

/** Whether a text is a private key that can sign so. */
function signs(alg: 'ES256' | 'RS256', pem: string): boolean {
  try {
    // Out of forms keys come with their line breaks spelt out.
    const key: KeyObject = createPrivateKey(pem.includes('\n') ? pem : pem.replaceAll('\\n', '\n'))
    if (alg === 'RS256') return key.asymmetricKeyType === 'rsa'
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1'
  } catch {
    return false
  }
}

/** The end of a key's id: enough to tell it from the one before. */
const hintOf = (id: string) => `…${id.slice(-SHOWN)}`

const missing = (name: string): Fault => ({
  pointer: `/${name}`,
  code: 'required',
  message: `${name} is missing.`,
})
const notTaken = (name: string): Fault => ({
  pointer: `/${name}`,
  code: 'unexpected',
  message: `${name} is not for this store.`,
})
