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
  /** Null if it is not bound to devices. */
  deviceCount: number | null
  /** True if a debugger may attach. */
  getTaskAllow: boolean
  /** Null if they are larger than is kept. */
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
  /** Why its profile could not be read; null if it could, or there is none. */
  profileFailure: string | null
  /** Why there is no icon; null if there is one. */
  iconFailure: string | null
}

/** The kinds of code and data that come from elsewhere, or stand on their own. */
export const COMPONENT_KINDS = ['framework', 'library', 'native', 'bundle', 'extension'] as const
/** The entrances that other apps have to one. */
export const EXPORTED_TYPES = ['activity', 'service', 'receiver', 'provider', 'urlScheme'] as const
export const SIZE_PARTS = [
  'code',
  'libraries',
  'extensions',
  'resources',
  'assets',
  'other',
] as const

/** Something that an app is made of: a framework, a library, an app extension. */
export interface Component {
  kind: (typeof COMPONENT_KINDS)[number]
  name: string
  version: string | null
}

/** An entrance that other apps have to the app. */
export interface ExportedComponent {
  type: (typeof EXPORTED_TYPES)[number]
  name: string
  /** The permission that others need to use it. */
  permission: string | null
}

/** The contents of an archive, beside its description of the app. */
export interface ArchiveContents {
  components: Component[]
  exported: ExportedComponent[]
  /** Components beyond what is kept, and files of components that were not read. */
  omitted: number
  /** Entrances beyond what is kept, or not kept whole. */
  omittedExported: number
  /** Bytes by part, compressed as they are shipped. */
  sizes: Record<(typeof SIZE_PARTS)[number], number>
  /** Bytes of native code by architecture, the same way. */
  abiSizes: { abi: string; bytes: number }[]
}

/** The result of reading a file. */
export type ArchiveResult =
  | {
      isRead: true
      metadata: ArchiveMetadata
      contents: ArchiveContents
      icon: Uint8Array | null
    }
  | { isRead: false; reason: string }
