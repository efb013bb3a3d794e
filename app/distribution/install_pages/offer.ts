import { later, type Instant } from '#foundation/core/clock'
import { DAY } from '#foundation/core/durations'
import type { BuildDistroBuildEntity } from '../entities.js'
import type { Device } from './device.js'

/** Number of days before its end at which a build is said to end soon. */
const SOON_DAYS = 14

/** The members of a build that its page needs; fewer than the API shows. */
export type OfferedBuild = Pick<BuildDistroBuildEntity, 'status' | 'expiresAt'> & {
  /** Null for one that is not stored yet. */
  metadataStatus: BuildDistroBuildEntity['metadataStatus'] | null
  metadata: Pick<
    NonNullable<BuildDistroBuildEntity['metadata']>,
    'format' | 'platform' | 'profile'
  > | null
}

/**
 * The offer of a page for a build:
 * - `install`: iOS fetches it by its manifest; `download`: Android takes the file
 * - `openBrowser`: only a full browser can do either
 * - `elsewhere`: it is for another device than this one
 * - `insecure`: iOS installs over https alone
 * - `bundle`, `store`, `tethered`: phones cannot install this kind of file at all: an Android App
 *   Bundle, one signed for the App Store, one for a device without a browser
 * - `unreadable`: its content is unknown; `reading`: not yet known; `pending`: it is not stored
 * - `expired`: its own time is over; `profileExpired`: that of its profile is
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

/** Offers of a build whose file is of no use any more, to anybody. */
export const isOver = (offer: Offer) => offer === 'expired' || offer === 'profileExpired'

/** The members of a build that determine its end. */
type EndingBuild = Pick<OfferedBuild, 'expiresAt'> & {
  metadata: Pick<NonNullable<OfferedBuild['metadata']>, 'profile'> | null
}

/** Returns when a build ends, and by what; null for never. The end of its profile counts, too. */
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

/** Returns whether a build has ended at a time, by itself or with its profile. */
export function hasEnded(build: EndingBuild, now: Instant): boolean {
  const end = endOf(build)
  return end !== null && end.at <= now
}

/** In how many whole days a build ends that ends soon; null for one that does not. */
export function daysLeft(build: OfferedBuild, now: Instant): number | null {
  const end = endOf(build)
  if (end === null || end.at <= now || end.at > later(now, SOON_DAYS * DAY)) return null
  return Math.floor((Date.parse(end.at) - Date.parse(now)) / DAY)
}
