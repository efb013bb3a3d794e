import { generateKeyPairSync, sign } from 'node:crypto'
import { u32 } from './write_chunks.js'

/** Encodes a value in DER. */
export function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  return Buffer.concat([Buffer.from([tag]), lengthOf(length), content])
}

/** Encodes a length in as few bytes as possible, as DER requires. */
function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length])
  if (length < 0x100) return Buffer.from([0x81, length])
  if (length < 0x10000) return Buffer.from([0x82, length >> 8, length & 0xff])
  return Buffer.from([0x83, length >> 16, (length >> 8) & 0xff, length & 0xff])
}

/** Encodes a value in BER, with an indefinite length. */
const ber = (tag: number, ...parts: Buffer[]): Buffer =>
  Buffer.concat([Buffer.from([tag, 0x80]), ...parts, Buffer.alloc(2)])

export const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const ECDSA_SHA256 = der(0x30, oid('2a8648ce3d040302'))
const SIGNED_DATA = oid('2a864886f70d010702')
const DATA = oid('2a864886f70d010701')

const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
/** The key pair of all certificates. */
export const signingKey = keys.privateKey

export const name = (commonName: string) =>
  der(0x30, der(0x31, der(0x30, oid('550403'), der(0x0c, Buffer.from(commonName)))))

/** Writes a self-signed certificate. */
export function writeCertificate(commonName: string, serial = 1, keyPair = keys): Buffer {
  const time = (text: string) => der(0x17, Buffer.from(text))
  const body = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([serial])),
    ECDSA_SHA256,
    name(commonName),
    der(0x30, time('260101000000Z'), time('460101000000Z')),
    name(commonName),
    keyPair.publicKey.export({ type: 'spki', format: 'der' })
  )
  const signature = sign('sha256', body, keyPair.privateKey)
  return der(0x30, body, ECDSA_SHA256, der(0x03, Buffer.alloc(1), signature))
}

/** Writes CMS signed data in DER or, with `indefinite`, in BER with the content in two pieces. */
export function writeCms(
  content: Buffer,
  { certificates = [writeCertificate('Acme')], serial = 1, indefinite = false } = {}
): Buffer {
  const wrap = indefinite ? ber : der
  const half = content.length >> 1
  const octets = indefinite
    ? ber(0x24, der(0x04, content.subarray(0, half)), der(0x04, content.subarray(half)))
    : der(0x04, content)
  const signer = der(
    0x30,
    der(0x02, Buffer.from([1])),
    der(0x30, name('Acme'), der(0x02, Buffer.from([serial])))
  )
  const data = wrap(
    0x30,
    der(0x02, Buffer.from([1])),
    der(0x31, ECDSA_SHA256),
    wrap(0x30, DATA, wrap(0xa0, octets)),
    der(0xa0, ...certificates),
    der(0x31, signer)
  )
  return wrap(0x30, SIGNED_DATA, wrap(0xa0, data))
}

const prefixed = (...parts: Buffer[]) => {
  const bytes = Buffer.concat(parts)
  return Buffer.concat([u32(bytes.length), bytes])
}

const SCHEMES = { v2: 0x7109871a, v3: 0xf05368c0 }

/** Writes the signing block of an APK, which precedes the central directory. */
export function writeSigningBlock(
  signers: readonly { scheme: keyof typeof SCHEMES; certificate: Buffer }[],
  size?: bigint
): Buffer {
  const pairs = Buffer.concat(
    signers.map(({ scheme, certificate }) => {
      const digests = prefixed(prefixed(u32(0x0103), prefixed(Buffer.alloc(32))))
      const signed = prefixed(digests, prefixed(prefixed(certificate)), prefixed())
      const signer = prefixed(signed, prefixed(), prefixed())
      const pair = Buffer.concat([u32(SCHEMES[scheme]), prefixed(signer)])
      return Buffer.concat([u64(BigInt(pair.length)), pair])
    })
  )
  const length = size ?? BigInt(pairs.length + 24)
  return Buffer.concat([u64(length), pairs, u64(length), Buffer.from('APK Sig Block 42')])
}

function u64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}
