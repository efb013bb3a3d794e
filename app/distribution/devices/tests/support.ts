import { createHash, sign } from 'node:crypto'
import { clock } from '#foundation/core/services'
import { plistText } from '#app-archives/writing/sane_archives'
import {
  der,
  name,
  oid,
  signingKey,
  writeCertificate,
} from '#app-archives/writing/write_signatures'
import { writeChallenge } from '../../install_pages/install_tokens.js'

const OIDS = {
  signedData: '2a864886f70d010702',
  data: '2a864886f70d010701',
  contentType: '2a864886f70d010903',
  messageDigest: '2a864886f70d010904',
  sha1: '2b0e03021a',
  sha256: '608648016503040201',
  ecdsaSha256: '2a8648ce3d040302',
}
const ISSUER = 'Apple iPhone Device CA'
export const UDID = '00008120-001A2B3C4D5E6F70'

export interface SignedParts {
  /** True if the signature covers attributes, as with devices. */
  hasAttributes?: boolean
  digest?: 'sha1' | 'sha256' | 'md5'
  /** The content that is digested, if not the signed one. */
  digested?: Buffer
  /** The signature, if not that of the key. */
  signature?: Buffer
}

/** Returns signed data, with a valid signature by default. */
export function signed(content: Buffer, parts: SignedParts = {}): Buffer {
  const { hasAttributes = true, digest = 'sha256', digested = content } = parts
  const algorithm = der(0x30, oid(digest === 'md5' ? '2a864886f70d0205' : OIDS[digest]))
  const attribute = (type: string, value: Buffer) => der(0x30, oid(type), der(0x31, value))
  const own = createHash(digest).update(digested).digest()
  const attributes = Buffer.concat([
    attribute(OIDS.contentType, oid(OIDS.data)),
    attribute(OIDS.messageDigest, der(0x04, own)),
  ])
  const signature = sign(digest, hasAttributes ? der(0x31, attributes) : digested, signingKey)
  const signer = der(
    0x30,
    der(0x02, Buffer.from([1])),
    der(0x30, name(ISSUER), der(0x02, Buffer.from([1]))),
    algorithm,
    ...(hasAttributes ? [der(0xa0, attributes)] : []),
    der(0x30, oid(OIDS.ecdsaSha256)),
    der(0x04, parts.signature ?? signature)
  )
  const data = der(
    0x30,
    der(0x02, Buffer.from([1])),
    der(0x31, algorithm),
    der(0x30, oid(OIDS.data), der(0xa0, der(0x04, content))),
    der(0xa0, writeCertificate(ISSUER)),
    der(0x31, signer)
  )
  return der(0x30, oid(OIDS.signedData), der(0xa0, data))
}

/** Returns the answer of a device to the profile of a link. */
export const answerTo = (linkId: string, reported: object = {}, parts?: SignedParts) =>
  signed(
    plistText({
      UDID,
      PRODUCT: 'iPhone15,2',
      VERSION: '22G86',
      CHALLENGE: writeChallenge(linkId, clock.now()),
      ...reported,
    }),
    parts
  )

export const ANSWER_TYPE = 'application/pkcs7-signature'
