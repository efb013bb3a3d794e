import { createHash, type X509Certificate } from 'node:crypto'
import { build } from 'plist'
import { signedContent } from '#app-archives/read_cms'
import { plainText } from '#app-archives/plain_text'
import { own, readPlist } from '#app-archives/read_plist'
import { reading, Unreadable } from '#app-archives/unreadable'
import { verifyCms } from './verify_cms.js'

/** The data that a device sent about itself. */
export interface ReportedDevice {
  udid: string
  product: string
  systemBuild: string | null
  /** The challenge it received. */
  challenge: string
  isVerified: boolean
  certificateIssuer: string | null
}

/** The formats of UDIDs since 2018, and before. */
const UDID = /^(?:[0-9A-F]{8}-[0-9A-F]{16}|[0-9a-f]{40})$/i

/** The minimum that a provisioning profile and the list of devices need. */
const ATTRIBUTES = ['UDID', 'PRODUCT', 'VERSION']

/**
 * Returns a profile by which a device reports itself (Apple's Profile Service). It installs nothing.
 * @param address to which the device sends its data
 */
export function writeProfile(profile: {
  address: string
  challenge: string
  organization: string
  app: string
}): string {
  const { address, challenge, organization, app } = profile
  const text = (value: string) => plainText(value, 255, { whole: false }) ?? 'Testers'
  return build({
    PayloadContent: { URL: address, DeviceAttributes: ATTRIBUTES, Challenge: challenge },
    PayloadDisplayName: `Register for ${text(app)}`,
    PayloadDescription:
      'Sends the identifier, the model and the system of this device to the people who make test builds. Nothing is installed.',
    PayloadOrganization: text(organization),
    PayloadIdentifier: 'tarmac.device-registration',
    PayloadType: 'Profile Service',
    PayloadUUID: uuidOf(challenge),
    PayloadVersion: 1,
  })
}

/** Derives a UUID from a text, so that a profile that is fetched twice has the same. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
  ]
  return [...parts, hex.slice(20, 32)].join('-').toUpperCase()
}

const CALLED = 'The response of the device'

/**
 * Reads the answer of a device: a property list in signed data. A valid signature only shows that
 * nobody changed the data on its way, as anybody can make a certificate. So the device is verified
 * only if a trusted authority issued the certificate.
 * @param authorities the certificates of the trusted authorities
 * @throws Unreadable
 */
export function readAnswer(bytes: Buffer, authorities: readonly X509Certificate[]): ReportedDevice {
  const { verdict, certificate } = reading(CALLED, () => verifyCms(bytes))
  if (verdict === 'wrong') throw new Unreadable(`${CALLED} does not match its signature.`)
  const plist = readPlist(signedContent(bytes), CALLED)
  const udid = plainText(own(plist, 'UDID'), 64)
  if (udid === null || !UDID.test(udid)) throw new Unreadable(`${CALLED} contains no UDID.`)
  return {
    udid: udid.length === 40 ? udid.toLowerCase() : udid.toUpperCase(),
    product: plainText(own(plist, 'PRODUCT'), 64) ?? 'unknown',
    systemBuild: plainText(own(plist, 'VERSION'), 32),
    challenge: plainText(own(plist, 'CHALLENGE'), 255) ?? '',
    isVerified: verdict === 'right' && authorities.some((each) => hasIssued(each, certificate)),
    certificateIssuer: issuerOf(certificate),
  }
}

const hasIssued = (authority: X509Certificate, certificate: X509Certificate) =>
  certificate.checkIssued(authority) && certificate.verify(authority.publicKey)

function issuerOf({ issuer }: X509Certificate): string | null {
  const [, name] = /^CN=(.+)$/m.exec(issuer) ?? []
  return plainText(name, 255, { whole: false })
}
