import type { BuildDistroBuildEntity } from '../../entities.js'

type Metadata = NonNullable<BuildDistroBuildEntity['metadata']>

const UNITS = ['bytes', 'kB', 'MB', 'GB'] as const

/** Returns a size in bytes for people: `84.2 MB`. */
export function sizeText(bytes: number): string {
  let [size, unit] = [bytes, 0]
  while (size >= 999.95 && unit < UNITS.length - 1) {
    size /= 1000
    unit += 1
  }
  return `${unit === 0 ? size : size.toFixed(1)} ${UNITS[unit]}`
}

const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
const TIME = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'UTC' })

/** Returns an instant for people: `16 November 2026, 11:43 UTC`. */
export function timeText(instant: string): string {
  const date = new Date(instant)
  return `${DATE.format(date)}, ${TIME.format(date)} UTC`
}

/** Returns a version with its build number: `4.2.0 (4711)`; null if neither is known. */
export function versionText({
  version,
  buildNumber,
}: Pick<BuildDistroBuildEntity, 'version' | 'buildNumber'>): string | null {
  if (version === null) return buildNumber === null ? null : `Build ${buildNumber}`
  return buildNumber === null ? version : `${version} (${buildNumber})`
}

const SYSTEMS: Record<Metadata['platform'], string> = {
  ios: 'iOS',
  tvos: 'tvOS',
  visionos: 'visionOS',
  android: 'Android',
  wearos: 'Wear OS',
  androidtv: 'Android TV',
}
export const systemText = (platform: Metadata['platform']) => SYSTEMS[platform]

/** Returns the devices a build can be installed on. */
export const devicesText = (platform: Metadata['platform']) =>
  platform === 'ios' ? 'iPhone or iPad' : `${SYSTEMS[platform]} device`

/** The names of Android versions by API level (https://apilevels.com). */
const ANDROID: Record<string, string> = {
  21: '5.0',
  22: '5.1',
  23: '6.0',
  24: '7.0',
  25: '7.1',
  26: '8.0',
  27: '8.1',
  28: '9',
  29: '10',
  30: '11',
  31: '12',
  32: '12L',
  33: '13',
  34: '14',
  35: '15',
  36: '16',
}

/**
 * Returns the oldest system a build runs on: `iOS 16.0 or later`; null if it does not state one.
 */
export function requiresText({
  platform,
  minimumOsVersion,
}: Pick<Metadata, 'platform' | 'minimumOsVersion'>): string | null {
  if (minimumOsVersion === null) return null
  const isApple = platform === 'ios' || platform === 'tvos' || platform === 'visionos'
  const named = Object.hasOwn(ANDROID, minimumOsVersion) ? ANDROID[minimumOsVersion] : null
  if (isApple) return `${SYSTEMS[platform]} ${minimumOsVersion} or later`
  return `Android ${named ?? `API level ${minimumOsVersion}`} or later`
}

/** Describes the devices that the profile of a build allows; null without one. */
export function profileText({ profile }: Pick<Metadata, 'profile'>): string | null {
  if (!profile) return null
  if (profile.type === 'enterprise') return 'Any device (enterprise)'
  const { deviceCount } = profile
  return deviceCount === null ? null : `${deviceCount} in its profile`
}

/** Says when something ends: `within a day`, `in 1 day`, `in 3 days`. */
export function daysText(days: number): string {
  if (days === 0) return 'within a day'
  return days === 1 ? 'in 1 day' : `in ${days} days`
}
