import { createHash, createPrivateKey, createPublicKey, hkdfSync, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import config from '@adonisjs/core/services/config'
import { yieldToOthers } from '#foundation/core/yielding'
import { sealText, signedText } from './verify_evidence.js'

/** Prefix of a PKCS#8 Ed25519 private key (RFC 8410); the 32 bytes of the key follow. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

let keys: { privateKey: KeyObject; publicKey: string } | undefined

/** Returns the keys that seal evidence, derived from the app key so that they do not change. */
function sealingKeys() {
  if (keys) return keys
  const secret = config.get<string>('app.appKey')
  const seed = Buffer.from(hkdfSync('sha256', secret, '', 'tarmac evidence', 32))
  const der = Buffer.concat([PKCS8, seed])
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' })
  const publicKey = Buffer.from(x!, 'base64url').toString('hex')
  return (keys = { privateKey, publicKey })
}

/** Number of entries that are written before other requests get a turn. */
const ENTRIES_PER_TURN = 200

/**
 * Returns the bytes of an evidence file: one JSON document that ends with the signed digest of all
 * bytes before. The same content gives the same bytes.
 */
export async function writeEvidence({
  timeline,
  ...sections
}: { timeline: { entries: readonly unknown[] } } & object): Promise<Buffer> {
  const { entries, ...chain } = timeline
  const pieces: string[] = []
  for (const [name, value] of Object.entries(sections)) {
    pieces.push(`${pieces.length === 0 ? '{' : ','}\n${JSON.stringify(name)}:`)
    pieces.push(JSON.stringify(value))
  }
  pieces.push(`,\n"timeline":${JSON.stringify(chain).slice(0, -1)},"entries":[`)
  for (const [index, entry] of entries.entries()) {
    pieces.push(`${index === 0 ? '' : ','}\n${JSON.stringify(entry)}`)
    if (index % ENTRIES_PER_TURN === ENTRIES_PER_TURN - 1) await yieldToOthers()
  }
  pieces.push('\n]}')
  const body = Buffer.from(pieces.join(''))
  const digest = createHash('sha256').update(body).digest('hex')
  const { privateKey, publicKey: key } = sealingKeys()
  const signature = sign(null, signedText(digest), privateKey).toString('hex')
  return Buffer.concat([body, Buffer.from(sealText({ digest, key, signature }))])
}
