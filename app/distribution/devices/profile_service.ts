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

/** Formats of iPhones from 2018 on, and of older ones. */
const UDID = /^(?:[0-9A-F]{8}-[0-9A-F]{16}|[0-9a-f]{40})$/i

/** As little as a provisioning profile and a list for people need. */
const ASKED = ['UDID', 'PRODUCT', 'VERSION']

/**
 * The profile that has a device send what it is (Apple's Profile Service). It installs nothing.
 * @param address where the device sends it
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
    PayloadContent: { URL: address, DeviceAttributes: ASKED, Challenge: challenge },
    PayloadDisplayName: `Register for ${text(app)}`,
    PayloadDescription:
      'Sends the identifier, the model and the system of this device to those who make test builds. Nothing is installed.',
    PayloadOrganization: text(organization),
    PayloadIdentifier: 'tarmac.device-registration',
    PayloadType: 'Profile Service',
    PayloadUUID: uuidOf(challenge),
    PayloadVersion: 1,
  })
}

/** The same for the same profile, so that one that is fetched twice is one. */
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

const CALLED = 'The answer of the device'

/**
 * Reads what a device sent: a property list in signed data. That its signature is right says that
 * nobody changed it on its way; anybody can make a certificate and sign with it, so it is verified
 * where somebody gave that out who is believed.
 * @param authorities whose certificates are believed
 * @throws Unreadable
 */
export function readAnswer(bytes: Buffer, authorities: readonly X509Certificate[]): ReportedDevice {
  const { verdict, certificate } = reading(CALLED, () => verifyCms(bytes))
  if (verdict === 'wrong') throw new Unreadable(`${CALLED} is not what was signed.`)
  const plist = readPlist(signedContent(bytes), CALLED)
  const udid = plainText(own(plist, 'UDID'), 64)
  if (udid === null || !UDID.test(udid)) throw new Unreadable(`${CALLED} names no UDID.`)
  return {
    udid: udid.length === 40 ? udid.toLowerCase() : udid.toUpperCase(),
    product: plainText(own(plist, 'PRODUCT'), 64) ?? 'unknown',
    systemBuild: plainText(own(plist, 'VERSION'), 32),
    challenge: plainText(own(plist, 'CHALLENGE'), 255) ?? '',
    isVerified: verdict === 'right' && authorities.some((each) => gaveOut(each, certificate)),
    certificateIssuer: issuerOf(certificate),
  }
}

const gaveOut = (authority: X509Certificate, certificate: X509Certificate) =>
  certificate.checkIssued(authority) && certificate.verify(authority.publicKey)

function issuerOf({ issuer }: X509Certificate): string | null {
  const [, name] = /^CN=(.+)$/m.exec(issuer) ?? []
  return plainText(name, 255, { whole: false })
}
