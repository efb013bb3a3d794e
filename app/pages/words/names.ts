import { PLATFORM_NAMES } from '#apps/vocabulary'

const PLATFORMS: Readonly<Record<string, string>> = PLATFORM_NAMES

/** Returns a platform as people write it. */
export const platformName = (platform: string): string => PLATFORMS[platform] ?? platform

/** Returns an app as people call it: its name, with its platform. */
export const appName = ({ name, platform }: { name: string; platform: string }): string =>
  `${name} ${platformName(platform)}`

/** Days of a week, from Monday on. */
export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** Types of releases. */
export const RELEASE_TYPES: Readonly<Record<string, string>> = {
  major: 'Major',
  minor: 'Minor',
  point: 'Point',
  hotfix: 'Hotfix',
  rollback: 'Rollback',
}
