import { PLATFORM_NAMES } from '#apps/vocabulary'

const PLATFORMS: Readonly<Record<string, string>> = PLATFORM_NAMES

/** Returns a platform as people write it. */
export const platformName = (platform: string): string => PLATFORMS[platform] ?? platform

/** Types of releases. */
export const RELEASE_TYPES: Readonly<Record<string, string>> = {
  major: 'Major',
  minor: 'Minor',
  point: 'Point',
  hotfix: 'Hotfix',
  rollback: 'Rollback',
}
