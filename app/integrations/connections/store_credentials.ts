import { createPrivateKey, type KeyObject } from 'node:crypto'
import { jsonPointer } from '#foundation/core/json_pointer'
import { InputErrors, type PartiallyValid } from '#foundation/core/problems/input_errors'
import { refuse } from '#foundation/core/problems/problem'
import { checkValue } from '#plugin-kit/check_value'
import type { PluginManifest } from '#plugin-kit/manifest'
import type { AuthUpdate } from '../validators/auth_update.js'
import type { Credentials } from './credentials.js'

/** Maximum length of a key file, in characters; real ones are far shorter. */
const MAX_KEY_FILE_LENGTH = 20_000

/** Characters of a key's id that are shown. */
const SHOWN = 4

/** New credentials of a store, and the id by which their key is recognized. */
interface StoreCredentials {
  credentials: Credentials
  keyHint: string
}

/**
 * Converts a sent key (of App Store Connect, or the key file of a service account of Google) to the
 * credentials that the store's plugin takes.
 * @throws conflict when the plugin takes neither; invalid_input for an invalid key
 */
export function storeCredentials(manifest: PluginManifest, update: AuthUpdate): StoreCredentials {
  const scheme = schemeOf(manifest)
  const errors = new InputErrors()
  checkStoreCredentials(manifest, update, errors)
  errors.throwIfAny()
  const read = scheme.scheme === 'jwt' ? signingKey(update) : keyFile(update)
  for (const { path, message } of checkValue(manifest.credentialSchema, read.credentials)) {
    const [member, ...rest] = path
    const sent = member === 'serviceAccount' ? 'serviceAccountKey' : member
    const pointer = jsonPointer(sent, ...rest)
    errors.add({ pointer, code: 'invalid', message: `It ${message}.` })
  }
  errors.throwIfAny()
  return read
}

/**
 * Collects the errors of a sent key, beyond its shape.
 * @throws conflict when the plugin takes neither
 */
export function checkStoreCredentials(
  manifest: PluginManifest,
  update: PartiallyValid<AuthUpdate>,
  errors: InputErrors
): void {
  const scheme = schemeOf(manifest)
  const own = scheme.scheme === 'jwt' ? APPLE : GOOGLE
  for (const name of [...APPLE, ...GOOGLE]) {
    if (!own.includes(name) && update[name] !== undefined) errors.add(notTaken(name))
  }
  const needed = own.filter((name) => name !== 'issuerId' && errors.isWellFormed(`/${name}`))
  const absent = needed.filter((name) => update[name] === undefined)
  errors.add(...absent.map(missing))
  if (scheme.scheme === 'jwt') checkSigningKey(scheme.alg, update.privateKey, errors)
  else checkKeyFile(update.serviceAccountKey, errors)
}

const APPLE: readonly (keyof AuthUpdate)[] = ['issuerId', 'keyId', 'privateKey']
const GOOGLE: readonly (keyof AuthUpdate)[] = ['serviceAccountKey']

function schemeOf({ auth, name }: PluginManifest) {
  for (const each of auth) {
    if (each.scheme === 'jwt' || each.scheme === 'googleServiceAccount') return each
  }
  throw refuse('conflict', {
    detail: `The credentials of ${name} can only be changed on the console.`,
  })
}

function checkSigningKey(
  alg: 'ES256' | 'RS256',
  key: string | undefined,
  errors: InputErrors
): void {
  if (key === undefined || isPrivateKey(alg, key)) return
  const what = alg === 'ES256' ? 'an elliptic curve (P-256)' : 'RSA'
  const message = `This is not a private key of ${what} in PEM.`
  errors.add({ pointer: '/privateKey', code: 'key', message })
}

function checkKeyFile(input: unknown, errors: InputErrors): void {
  if (input === undefined) return
  const pointer = '/serviceAccountKey'
  const file = parsedFile(input)
  if (!file) {
    const message = 'This is not a key file of a service account.'
    errors.add({ pointer, code: 'key', message })
  } else if (!isPrivateKey('RS256', file.private_key)) {
    const message = 'The private_key is not an RSA private key in PEM.'
    errors.add({ pointer: `${pointer}/private_key`, code: 'key', message })
  }
}

function signingKey({ issuerId, keyId, privateKey }: AuthUpdate): StoreCredentials {
  const issuer = issuerId === undefined ? {} : { issuerId }
  return { credentials: { ...issuer, keyId, privateKey }, keyHint: hintOf(keyId!) }
}

function keyFile({ serviceAccountKey }: AuthUpdate): StoreCredentials {
  const file = parsedFile(serviceAccountKey)!
  const { private_key_id: id, client_email: email } = file
  return {
    credentials: { serviceAccount: JSON.stringify(file) },
    keyHint: hintOf(typeof id === 'string' && id !== '' ? id : email),
  }
}

interface KeyFile {
  client_email: string
  private_key: string
  private_key_id?: unknown
}

function parsedFile(input: unknown): KeyFile | null {
  const text = typeof input === 'string' ? input : JSON.stringify(input ?? null)
  if (text.length > MAX_KEY_FILE_LENGTH) return null
  try {
    const file = JSON.parse(text) as Partial<KeyFile> | null
    const isFile = typeof file?.client_email === 'string' && typeof file.private_key === 'string'
    return isFile && file.client_email !== '' ? (file as KeyFile) : null
  } catch {
    return null
  }
}

/** Returns whether a text is a private key for an algorithm. */
function isPrivateKey(alg: 'ES256' | 'RS256', pem: string): boolean {
  try {
    // Keys from forms may contain their line breaks as the two characters `\n`.
    const key: KeyObject = createPrivateKey(pem.includes('\n') ? pem : pem.replaceAll('\\n', '\n'))
    if (alg === 'RS256') return key.asymmetricKeyType === 'rsa'
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1'
  } catch {
    return false
  }
}

/** Returns the end of a key's id: enough to distinguish it from the one before. */
const hintOf = (id: string) => `…${id.slice(-SHOWN)}`

const missing = (name: string) => ({
  pointer: `/${name}`,
  code: 'required',
  message: `${name} is missing.`,
})
const notTaken = (name: string) => ({
  pointer: `/${name}`,
  code: 'unexpected',
  message: `${name} is not for this store.`,
})
