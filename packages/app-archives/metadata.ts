export const ARCHIVE_FORMATS = ['ipa', 'apk', 'aab'] as const
export const ARCHIVE_PLATFORMS = [
  'ios',
  'android',
  'tvos',
  'visionos',
  'wearos',
  'androidtv',
] as const
export const PROFILE_TYPES = ['development', 'adHoc', 'enterprise', 'store'] as const
export const SIGNATURE_SCHEMES = ['v1', 'v2', 'v3'] as const

/** The signers of an Android archive. Nothing is verified: that is the device's job. */
export interface Signing {
  /** The oldest to the newest that it has. */
  schemes: (typeof SIGNATURE_SCHEMES)[number][]
  /** SHA-256 of the certificate of the newest scheme, in hexadecimal digits. */
  certificateSha256: string
  /** Signed with the key that development tools make for themselves. */
  isDebugSigned: boolean
}

/** The permissions of an iOS archive, and the devices it runs on. */
export interface Profile {
  name: string | null
  type: (typeof PROFILE_TYPES)[number]
  teamId: string | null
  teamName: string | null
  /** In UTC. */
  expiresAt: string | null
  /** When the last of the certificates that it names ends, in UTC. */
  certificateExpiresAt: string | null
  /** Null where it is not bound to devices. */
  deviceCount: number | null
  /** Whether a debugger may attach. */
  getTaskAllow: boolean
  /** Null where they are larger than is kept. */
  entitlements: Record<string, unknown> | null
}

/** The description of an app in an archive. */
export interface ArchiveMetadata {
  format: (typeof ARCHIVE_FORMATS)[number]
  platform: (typeof ARCHIVE_PLATFORMS)[number]
  bundleId: string
  name: string | null
  version: string | null
  buildNumber: string | null
  /** A system version for Apple, an API level for Android. */
  minimumOsVersion: string | null
  targetOsVersion: string | null
  abis: string[]
  permissions: string[]
  signing: Signing | null
  profile: Profile | null
  /** Why its profile could not be read; null where it could, or there is none. */
  profileFailure: string | null
  /** Why there is no icon; null where there is one. */
  iconFailure: string | null
}

/** The result of reading a file. */
export type ArchiveResult =
  | { isRead: true; metadata: ArchiveMetadata; icon: Uint8Array | null }
  | { isRead: false; reason: string }
