import { createHash, createPublicKey, verify } from 'node:crypto'

/*
 * Verifies an evidence file (docs/reference/evidence.md). It only imports the standard library, so
 * that an auditor needs this file and the evidence, and nothing else of the service.
 */

/** Format identifier of an evidence file. */
export const EVIDENCE_FORMAT = 'tarmac-evidence/1'

/** The last bytes of a file. The digest covers all bytes before them. */
const SEAL =
  /^,\n"seal":\{"digest":"([0-9a-f]{64})","key":"([0-9a-f]{64})","signature":"([0-9a-f]{128})"\}\}\n$/

/** The digest of the bytes before the seal, with a signature. */
interface Seal {
  digest: string
  /** Public key of the service (Ed25519). */
  key: string
  signature: string
}

/** Returns a seal as the text that ends a file. */
export const sealText = ({ digest, key, signature }: Seal): string =>
  `,\n"seal":${JSON.stringify({ digest, key, signature })}}\n`

const SEAL_BYTES = sealText({
  digest: '0'.repeat(64),
  key: '0'.repeat(64),
  signature: '0'.repeat(128),
}).length

/** Returns the bytes that the signature covers. */
export const signedText = (digest: string): Buffer => Buffer.from(`${EVIDENCE_FORMAT} ${digest}`)

/** A check that failed, and its place in the file. */
interface EvidenceFault {
  where: string
  message: string
}

interface EvidenceVerdict {
  holds: boolean
  errors: EvidenceFault[]
  /** Id of the release according to the file; null if the file cannot be read. */
  releaseId: string | null
  /** Number of valid timeline entries, counted from the first. */
  entries: number
  /** Number of approvals that match the content of the file. */
  approvals: number
  /** The digest to compare with a copy kept elsewhere; null without a seal. */
  digest: string | null
  key: string | null
}

const sha256 = (value: string | Buffer) => createHash('sha256').update(value).digest('hex')

/**
 * Verifies a file: the bytes are those that were sealed, the hashes of the timeline form a chain
 * from the first to the last entry, every content matches its hash, and every approval was given
 * for that hash. Somebody who changes a file and seals it again has to use another key.
 * @param key the known public key of the service; without it, any key is accepted
 */
export function verifyEvidence(bytes: Buffer, key?: string): EvidenceVerdict {
  const errors: EvidenceFault[] = []
  const report = (where: string, message: string) => void errors.push({ where, message })
  const body = bytes.subarray(0, Math.max(0, bytes.length - SEAL_BYTES))
  const sealed = SEAL.exec(bytes.subarray(body.length).toString('latin1'))
  const seal: Seal | null = sealed && { digest: sealed[1], key: sealed[2], signature: sealed[3] }
  if (!seal) report('seal', 'The file does not end with a seal.')
  else checkSeal(body, seal, key, report)

  const file = parsed(bytes)
  const counts = { entries: 0, approvals: 0 }
  if (file?.format !== EVIDENCE_FORMAT)
    report('format', 'This is not an evidence file of this format.')
  else {
    counts.entries = checkTimeline(file.timeline, report)
    try {
      counts.approvals = checkBound(file, null, '', report)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      report('file', 'The file is nested deeper than any file of the service.')
    }
  }
  const release = file?.release as { id?: unknown } | undefined
  return {
    holds: errors.length === 0,
    errors,
    releaseId: typeof release?.id === 'string' ? release.id : null,
    ...counts,
    digest: seal?.digest ?? null,
    key: seal?.key ?? null,
  }
}

type Report = (where: string, message: string) => void

function checkSeal(body: Buffer, seal: Seal, key: string | undefined, report: Report): void {
  if (sha256(body) !== seal.digest) {
    report('seal', 'The content does not match the seal: something was changed.')
  }
  if (!isSigned(seal)) report('seal', 'The signature does not match the key and the digest.')
  if (key !== undefined && key.trim().toLowerCase() !== seal.key)
    report('seal', 'The file was sealed with another key.')
}

function isSigned({ digest, key, signature }: Seal): boolean {
  try {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(key, 'hex').toString('base64url') }
    const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
    return verify(null, signedText(digest), publicKey, Buffer.from(signature, 'hex'))
  } catch {
    return false
  }
}

function parsed(bytes: Buffer): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Checks the hash chain of the timeline. @returns the number of valid entries from the first on */
function checkTimeline(timeline: unknown, report: Report): number {
  if (!isObject(timeline) || !Array.isArray(timeline.entries)) {
    report('timeline', 'There is no timeline.')
    return 0
  }
  const begins = sha256(`timeline ${String(timeline.of)}`)
  if (timeline.begins !== begins) report('timeline.begins', 'This is not the start of the chain.')
  let last = begins
  let entries = 0
  for (const [index, entry] of timeline.entries.entries()) {
    const fault = linkFault(entry, index + 1, last)
    if (fault !== null) {
      report(`timeline.entries[${index}]`, fault)
      return entries
    }
    entries += 1
    last = (entry as { hash: string }).hash
  }
  if (timeline.ends !== last) report('timeline.ends', 'This is not the end of the chain.')
  return entries
}

function linkFault(entry: unknown, position: number, previousHash: string): string | null {
  if (!isObject(entry)) return 'This is not an entry.'
  if (entry.position !== position) return `Entry ${position} is missing.`
  if (entry.previousHash !== previousHash)
    return 'The entry does not contain the hash of the one before it.'
  const { id, type, title, occurredAt, actor, stepConfigId, data } = entry
  const reported = JSON.stringify({ id, type, title, occurredAt, actor, stepConfigId, data })
  return entry.hash === sha256(previousHash + reported)
    ? null
    : 'The hash of the entry does not match its content.'
}

/**
 * Checks every object with `content` and `contentHash`: the hash must match the content, and each
 * `approvedHash` within must equal it.
 * @returns the number of valid approvals
 */
function checkBound(value: unknown, bound: string | null, where: string, report: Report): number {
  if (Array.isArray(value)) {
    const counts = value.map((each, index) => checkBound(each, bound, `${where}[${index}]`, report))
    return counts.reduce((one, other) => one + other, 0)
  }
  if (!isObject(value)) return 0
  let within = bound
  if ('content' in value && 'contentHash' in value) {
    within = sha256(JSON.stringify(value.content))
    if (value.contentHash !== within) report(where, 'The hash does not match the content.')
  }
  let count = 0
  if (typeof value.approvedHash === 'string') {
    if (value.approvedHash === within) count = 1
    else report(where, 'The approval was given for other content.')
  }
  for (const [name, member] of Object.entries(value)) {
    // The chain of hashes already covers the entries' own content.
    if (name === 'content' || (where === '' && name === 'timeline')) continue
    count += checkBound(member, within, where === '' ? name : `${where}.${name}`, report)
  }
  return count
}
