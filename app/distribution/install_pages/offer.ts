import { later, type Instant } from '#foundation/core/clock'
import { DAY } from '#foundation/core/durations'
import type { BuildDistroBuildEntity } from '../entities.js'
import type { Device } from './device.js'

/** The page warns this many days before a build ends. */
const SOON_DAYS = 14

/** The members of a build that decide the offer. */
export type OfferedBuild = Pick<BuildDistroBuildEntity, 'status' | 'expiresAt'> & {
  /** Null for a build that is not stored yet. */
  metadataStatus: BuildDistroBuildEntity['metadataStatus'] | null
  metadata: Pick<
    NonNullable<BuildDistroBuildEntity['metadata']>,
    'format' | 'platform' | 'profile'
  > | null
}

/**
 * The offer of a page for a build:
 * - `install`: iOS installs by the manifest; `download`: Android downloads the file
 * - `openBrowser`: the page has to be opened in a full browser first
 * - `elsewhere`: the build is for another kind of device
 * - `insecure`: iOS installs only over https
 * - `bundle`, `store`, `tethered`: phones cannot install this kind of file at all: an Android App
 *   Bundle, a file signed for the App Store, a file for a device without a browser
 * - `unreadable`: the file could not be read; `reading`: it is still to be read; `pending`: it is
 *   not stored yet
 * - `expired`: the build has expired; `profileExpired`: its provisioning profile has
 */
export type Offer =
  | 'install'
  | 'download'
  | 'openBrowser'
  | 'elsewhere'
  | 'insecure'
  | 'bundle'
  | 'store'
  | 'tethered'
  | 'unreadable'
  | 'reading'
  | 'pending'
  | 'expired'
  | 'profileExpired'

/** Decides what is offered. @param isSecure whether the requester reaches the service by https */
export function offerOf(
  build: OfferedBuild,
  device: Device,
  { isSecure, now }: { isSecure: boolean; now: Instant }
): Offer {
  const { status, expiresAt, metadata } = build
  if (status === 'expired' || (expiresAt !== null && expiresAt <= now)) return 'expired'
  if (status !== 'active') return 'pending'
  if (metadata === null) return build.metadataStatus === 'pending' ? 'reading' : 'unreadable'
  const { format, platform, profile } = metadata
  if (profile?.expiresAt && profile.expiresAt <= now) return 'profileExpired'
  if (format === 'aab') return 'bundle'
  if (profile?.type === 'store') return 'store'
  const wanted = { ios: 'ios', visionos: 'ios', android: 'android' } as const
  const system = platform in wanted ? wanted[platform as keyof typeof wanted] : null
  if (system === null) return 'tethered'
  if (device.system !== system) return 'elsewhere'
  if (device.inApp) return 'openBrowser'
  if (system === 'android') return 'download'
  return isSecure ? 'install' : 'insecure'
}

/** Returns whether nobody can use the file of a build any more. */
export const isOver = (offer: Offer) => offer === 'expired' || offer === 'profileExpired'

/** The members of a build that determine its end. */
type EndingBuild = Pick<OfferedBuild, 'expiresAt'> & {
  metadata: Pick<NonNullable<OfferedBuild['metadata']>, 'profile'> | null
}

/** Returns the earlier end of a build and its profile; null if neither ends. */
export function endOf({ expiresAt, metadata }: EndingBuild): {
  at: Instant
  by: 'bucket' | 'profile'
} | null {
  const profile = metadata?.profile?.expiresAt ?? null
  if (profile !== null && (expiresAt === null || profile < expiresAt)) {
    return { at: profile, by: 'profile' }
  }
  return expiresAt === null ? null : { at: expiresAt, by: 'bucket' }
}

/** Returns whether a build or its profile has ended. */
export function hasEnded(build: EndingBuild, now: Instant): boolean {
  const end = endOf(build)
  return end !== null && end.at <= now
}

/** Returns the number of whole days until a build ends; null unless it ends soon. */
export function daysLeft(build: OfferedBuild, now: Instant): number | null {
  const end = endOf(build)
  if (end === null || end.at <= now || end.at > later(now, SOON_DAYS * DAY)) return null
  return Math.floor((Date.parse(end.at) - Date.parse(now)) / DAY)
}
