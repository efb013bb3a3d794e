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

/** The signing of an Android archive. It is not verified, as devices do that. */
export interface Signing {
  /** From the oldest to the newest. */
  schemes: (typeof SIGNATURE_SCHEMES)[number][]
  /** SHA-256 of the certificate of the newest scheme, in hexadecimal digits. */
  certificateSha256: string
  /** True if it is signed with the debug key of development tools. */
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
  /** The end of its certificate that lasts longest, in UTC. */
  certificateExpiresAt: string | null
  /** Null if it is not bound to devices. */
  deviceCount: number | null
  /** True if a debugger may attach. */
  getTaskAllow: boolean
  /** Null if they are too large. */
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

/** The kinds of components of an app. */
export const COMPONENT_KINDS = ['framework', 'library', 'native', 'bundle', 'extension'] as const
/** The kinds of components and addresses by which other apps can start an app. */
export const EXPORTED_TYPES = ['activity', 'service', 'receiver', 'provider', 'urlScheme'] as const
export const SIZE_PARTS = [
  'code',
  'libraries',
  'extensions',
  'resources',
  'assets',
  'other',
] as const

/** A component of an app, such as a framework, a library or an app extension. */
export interface Component {
  kind: (typeof COMPONENT_KINDS)[number]
  name: string
  version: string | null
}

/** A component or address by which other apps can start the app. */
export interface ExportedComponent {
  type: (typeof EXPORTED_TYPES)[number]
  name: string
  /** The permission that others need to use it. */
  permission: string | null
}

/** The contents of an archive. */
export interface ArchiveContents {
  components: Component[]
  exported: ExportedComponent[]
  /** The number of components beyond the limit, and of their files that were not read. */
  omitted: number
  /** The number of exported components beyond the limit, or with shortened texts. */
  omittedExported: number
  /** Compressed bytes by part. */
  sizes: Record<(typeof SIZE_PARTS)[number], number>
  /** Compressed bytes of native code by architecture. */
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
