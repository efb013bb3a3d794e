import { PLATFORM_NAMES } from '#apps/vocabulary'

const PLATFORMS: Readonly<Record<string, string>> = PLATFORM_NAMES

/** Returns a platform as people write it. */
export const platformName = (platform: string): string => PLATFORMS[platform] ?? platform

interface NamedApp {
  id: string
  name: string
  platform: string
}

/** Returns an app as people call it: its name, with its platform. */
export const appName = ({ name, platform }: Omit<NamedApp, 'id'>): string =>
  `${name} ${platformName(platform)}`

/** The name of the app of an id; the id of one that is not known. */
export type NameOfApp = (appId: string) => string

/** Returns how apps are called, for rows that name them by their ids. */
export function appNames(apps: readonly NamedApp[]): NameOfApp {
  const names = new Map(apps.map((app) => [app.id, appName(app)]))
  return (id) => names.get(id) ?? id
}

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
