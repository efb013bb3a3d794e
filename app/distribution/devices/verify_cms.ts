import { createHash, verify, X509Certificate } from 'node:crypto'
import { firstIn, TAG, valueAt, valuesIn, type Asn1Value } from '#app-archives/asn1'
import { signedContent, signerCertificate } from '#app-archives/read_cms'

/*
 * Verifies that signed data (RFC 5652, PKCS #7) was signed by the certificate that comes with it:
 *
 *   SignerInfo  SEQUENCE { version, issuer and serial, SEQUENCE { digest }, [0] attributes,
 *                          SEQUENCE { algorithm }, OCTET STRING signature }
 *
 * If there are attributes, they hold the digest of the content, and the signature covers them. The
 * issuer of the certificate is reported, not judged.
 */

const OID = 0x06

/** Digests by the bytes of their object identifiers. */
const DIGESTS: Record<string, string> = {
  '2b0e03021a': 'sha1',
  '608648016503040201': 'sha256',
  '608648016503040202': 'sha384',
  '608648016503040203': 'sha512',
}
const MESSAGE_DIGEST = '2a864886f70d010904'

/** The result of checking a signature: `unknown` for an unsupported kind. */
type Verdict = 'right' | 'wrong' | 'unknown'

/** @throws RangeError, or an error of the certificate, if the bytes are not signed data */
export function verifyCms(bytes: Buffer): { verdict: Verdict; certificate: X509Certificate } {
  const content = signedContent(bytes)
  const certificate = new X509Certificate(signerCertificate(bytes))
  const [, , digest, ...rest] = [...valuesIn(signerInfo(bytes).content)]
  const hash = DIGESTS[oidOf(digest)]
  const attributes = rest.find(({ tag }) => tag === TAG.context0)
  const signature = rest.find(({ tag }) => tag === TAG.octets)
  if (hash === undefined || !signature) return { verdict: 'unknown', certificate }
  if (attributes) {
    const computed = createHash(hash).update(content).digest()
    if (!messageDigest(attributes.content)?.equals(computed))
      return { verdict: 'wrong', certificate }
  }
  // The signature covers the attributes encoded as a SET, not with the tag of their field.
  const signed = attributes
    ? Buffer.concat([Buffer.from([TAG.set]), attributes.whole.subarray(1)])
    : content
  const isRight = verify(hash, signed, certificate.publicKey, signature.content)
  return { verdict: isRight ? 'right' : 'wrong', certificate }
}

/** Returns the first SignerInfo. @throws RangeError if there is none */
function signerInfo(bytes: Buffer): Asn1Value {
  const wrapped = firstIn(valueAt(bytes, 0).content, TAG.context0)
  const data = firstIn(wrapped.content, TAG.sequence)
  const signers = [...valuesIn(data.content)].findLast(({ tag }) => tag === TAG.set)
  if (!signers) throw new RangeError('A signer is missing')
  return firstIn(signers.content, TAG.sequence)
}

const oidOf = (algorithm: Asn1Value | undefined): string =>
  algorithm ? firstIn(algorithm.content, OID).content.toString('hex') : ''

/** Returns the digest among the attributes; null if there is none. */
function messageDigest(attributes: Buffer): Buffer | null {
  for (const { content } of valuesIn(attributes)) {
    const [type, values] = [...valuesIn(content)]
    if (type?.content.toString('hex') !== MESSAGE_DIGEST || !values) continue
    return firstIn(values.content, TAG.octets).content
  }
  return null
}
