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

/** Returns the name of an app by its id; the id itself for an unknown app. */
export type NameOfApp = (appId: string) => string

/** Returns a lookup of app names by id. */
export function appNames(apps: readonly NamedApp[]): NameOfApp {
  const names = new Map(apps.map((app) => [app.id, appName(app)]))
  return (id) => names.get(id) ?? id
}

/** The days of a week, from Monday. */
export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** Types of releases. */
export const RELEASE_TYPES: Readonly<Record<string, string>> = {
  major: 'Major',
  minor: 'Minor',
  point: 'Point',
  hotfix: 'Hotfix',
  rollback: 'Rollback',
}
