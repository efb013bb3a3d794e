import { X509Certificate, createHash } from 'node:crypto'
import { LIMITS } from '../limits.ts'
import { SIGNATURE_SCHEMES, type Signing } from '../metadata.ts'
import { signerCertificate } from '../read_cms.ts'
import type { Archive } from '../read_zip.ts'
import { Unreadable, bytesAt, reading } from '../unreadable.ts'

type Scheme = Signing['schemes'][number]

const MAGIC = 'APK Sig Block 42'
const FOOTER = 24
const SCHEME_OF: Readonly<Record<number, Scheme>> = {
  0x7109871a: 'v2',
  0xf05368c0: 'v3',
  // Scheme 3.1, which has the signers for newer devices.
  0x1b93ad61: 'v3',
}
const JAR_SIGNATURE = /^META-INF\/[^/]+\.(RSA|DSA|EC)$/
const CALLED = 'The signature'

/**
 * Returns the signing of an Android archive, from the block before the directory (v2, v3) and from
 * the JAR signature (v1); null if it is not signed.
 * @throws Unreadable for a damaged signature
 */
export async function readSigning(archive: Archive): Promise<Signing | null> {
  const block = await signingBlock(archive)
  const certificates = reading(CALLED, () => new Map(block ? blockCertificates(block) : []))
  const jar = [...archive.names()].find((name) => JAR_SIGNATURE.test(name))
  if (jar !== undefined) {
    const bytes = await archive.read(jar, LIMITS.signatureBytes, CALLED)
    certificates.set(
      'v1',
      reading(CALLED, () => signerCertificate(bytes))
    )
  }
  const schemes = SIGNATURE_SCHEMES.filter((scheme) => certificates.has(scheme))
  const newest = schemes.at(-1)
  if (newest === undefined) return null
  const certificate = certificates.get(newest)!
  return {
    schemes,
    certificateSha256: createHash('sha256').update(certificate).digest('hex'),
    isDebugSigned: reading(CALLED, () => isDebug(new X509Certificate(certificate))),
  }
}

/** Android's tools use this name for the debug key that they generate. */
function isDebug({ subject }: X509Certificate): boolean {
  return subject.split('\n').includes('CN=Android Debug')
}

/** Returns the pairs of the signing block before the directory; null if there is none. */
async function signingBlock(archive: Archive): Promise<Buffer | null> {
  const end = archive.directoryStart
  if (end < FOOTER) return null
  const footer = await archive.bytes(end - FOOTER, FOOTER)
  if (footer.toString('latin1', 8) !== MAGIC) return null
  const size = Number(footer.readBigUInt64LE(0))
  if (size < FOOTER || size > LIMITS.signatureBytes) {
    throw new Unreadable('The signature is larger than it may be.')
  }
  if (size > end) throw new Unreadable(`${CALLED} is damaged.`)
  // The size includes the footer, but not the copy of itself at the start of the block.
  return archive.bytes(end - size, size - FOOTER)
}

function* blockCertificates(pairs: Buffer): Generator<[Scheme, Buffer]> {
  for (let at = 0; at < pairs.length;) {
    const length = Number(pairs.readBigUInt64LE(at))
    const pair = bytesAt(pairs, at + 8, length)
    const scheme = SCHEME_OF[pair.readUInt32LE(0)]
    if (scheme) yield [scheme, firstCertificate(pair.subarray(4))]
    at += 8 + length
  }
}

/** Returns the first certificate of the first signer, which both schemes have in the same place. */
function firstCertificate(block: Buffer): Buffer {
  const signer = prefixed(prefixed(block, 0), 0)
  const signed = prefixed(signer, 0)
  const digests = prefixed(signed, 0)
  return prefixed(prefixed(signed, 4 + digests.length), 0)
}

/** Returns the bytes after a four-byte length prefix. @throws RangeError */
function prefixed(buffer: Buffer, at: number): Buffer {
  return bytesAt(buffer, at + 4, buffer.readUInt32LE(at))
}
