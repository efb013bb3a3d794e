import { X509Certificate } from 'node:crypto'
import { LIMITS } from './limits.ts'
import { TAG, firstIn, valueAt, valuesIn, type Asn1Value } from './asn1.ts'

/*
 * Reads the content and the signer of signed data (CMS, RFC 5652, and PKCS #7). Nothing is verified.
 *
 *   ContentInfo  SEQUENCE { type, [0] SignedData }
 *   SignedData   SEQUENCE { version, SET digests, SEQUENCE { type, [0] OCTET STRING },
 *                           [0] certificates, [1] lists, SET signers }
 */

/** Returns the signed content. @throws RangeError if there is none */
export function signedContent(bytes: Buffer): Buffer {
  const { content } = firstIn(signedData(bytes), TAG.sequence)
  const wrapped = firstIn(content, TAG.context0)
  return octets(valueAt(wrapped.content, 0))
}

/** Returns the certificate of the first signer in DER. @throws RangeError if there is none */
export function signerCertificate(bytes: Buffer): Buffer {
  const data = signedData(bytes)
  const certificates = [...valuesIn(firstIn(data, TAG.context0).content)]
    .filter(({ tag }) => tag === TAG.sequence)
    .slice(0, 20)
    .map(({ whole }) => whole)
  const serial = signerSerial(data)
  const found = certificates.find((each) => serialOf(each) === serial)
  const certificate = found ?? certificates[0]
  if (!certificate) throw new RangeError('A certificate is missing')
  return certificate
}

const serialOf = (certificate: Buffer) =>
  BigInt(`0x${new X509Certificate(certificate).serialNumber}`)

function signedData(bytes: Buffer): Buffer {
  const info = valueAt(bytes, 0)
  if (info.tag !== TAG.sequence) throw new RangeError('No signed data')
  const wrapped = firstIn(info.content, TAG.context0)
  return firstIn(wrapped.content, TAG.sequence).content
}

/** Returns the serial number of the first signer's certificate; null if not identified by one. */
function signerSerial(data: Buffer): bigint | null {
  const sets = [...valuesIn(data)].filter(({ tag }) => tag === TAG.set)
  const signers = sets.at(-1)
  if (!signers || sets.length < 2) return null
  const signer = firstIn(signers.content, TAG.sequence)
  const [, issuer] = valuesIn(signer.content)
  if (issuer?.tag !== TAG.sequence) return null
  const { content } = firstIn(issuer.content, TAG.integer)
  return content.length > 0 && content.length <= 32 ? BigInt(`0x${content.toString('hex')}`) : null
}

/** Returns the bytes of an octet string, which BER may split into pieces. */
function octets({ tag, content }: Asn1Value, depth = 0): Buffer {
  if (tag === TAG.octets) return content
  if (tag !== TAG.constructedOctets || depth > LIMITS.depth) throw new RangeError('No bytes')
  return Buffer.concat([...valuesIn(content)].map((piece) => octets(piece, depth + 1)))
}
