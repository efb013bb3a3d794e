import { X509Certificate } from 'node:crypto'
import { LIMITS } from '../limits.ts'
import type { Profile } from '../metadata.ts'
import { plainText } from '../plain_text.ts'
import { signedContent } from '../read_cms.ts'
import { isPlist, own, readPlist, texts, type Plist } from '../read_plist.ts'
import { reading } from '../unreadable.ts'

const CALLED = 'embedded.mobileprovision'

/**
 * Reads a provisioning profile: a property list in signed data.
 * @throws Unreadable
 */
export function readProfile(bytes: Buffer): Profile {
  const plist = readPlist(
    reading(CALLED, () => signedContent(bytes)),
    CALLED
  )
  const entitlements = own(plist, 'Entitlements')
  const allowed = isPlist(entitlements) ? entitlements : {}
  const getTaskAllow = own(allowed, 'get-task-allow') === true
  const devices = own(plist, 'ProvisionedDevices')
  return {
    name: plainText(own(plist, 'Name'), 255, { whole: false }),
    type: typeOf(plist, getTaskAllow),
    teamId: plainText(texts(own(plist, 'TeamIdentifier'))[0], 64),
    teamName: plainText(own(plist, 'TeamName'), 255, { whole: false }),
    expiresAt: instantOf(own(plist, 'ExpirationDate')),
    certificateExpiresAt: lastEnd(own(plist, 'DeveloperCertificates')),
    deviceCount: Array.isArray(devices) ? devices.length : null,
    getTaskAllow,
    entitlements: plainEntitlements(allowed),
  }
}

/**
 * Returns the kind of a profile, by the devices that may run it, and by whether a debugger may
 * attach.
 */
function typeOf(plist: Plist, getTaskAllow: boolean): Profile['type'] {
  if (own(plist, 'ProvisionsAllDevices') === true) return 'enterprise'
  if (getTaskAllow) return 'development'
  return Array.isArray(own(plist, 'ProvisionedDevices')) ? 'adHoc' : 'store'
}

/** The maximum number of certificates that are read; a team has a few. */
const MAX_CERTIFICATES = 100

/** Returns the end of the certificate that lasts longest; null if none can be read. */
function lastEnd(certificates: unknown): string | null {
  if (!Array.isArray(certificates)) return null
  const ends = certificates.slice(0, MAX_CERTIFICATES).flatMap((each) => {
    try {
      return instantOf(new X509Certificate(each as Buffer).validToDate) ?? []
    } catch {
      return []
    }
  })
  return ends.sort().at(-1) ?? null
}

function instantOf(value: unknown): string | null {
  if (!(value instanceof Date) || Number.isNaN(value.getTime())) return null
  const instant = value.toISOString()
  // The API has no instants with years of more than four digits.
  return instant.length === 24 ? instant : null
}

/** Returns entitlements as JSON values; null if they are too large. */
function plainEntitlements(entitlements: Plist): Record<string, unknown> | null {
  const plain = plainValue(entitlements, 0) as Record<string, unknown>
  return JSON.stringify(plain).length > LIMITS.entitlements ? null : plain
}

function plainValue(value: unknown, depth: number): unknown {
  if (depth > 8) return null
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (value instanceof Date) return instantOf(value)
  if (Array.isArray(value)) return value.map((each) => plainValue(each, depth + 1))
  if (!isPlist(value)) return null
  const entries = Object.entries(value).filter(([key]) => key !== '__proto__')
  return Object.fromEntries(
    entries.map(([key, each]) => [key.toWellFormed(), plainValue(each, depth + 1)])
  )
}
