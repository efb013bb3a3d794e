import type { AppPlatform } from '#apps/vocabulary'

const MAX_NAME = 60

/**
 * The id of an app: its name and platform as a slug (`acme-ios`). A name that already ends with
 * its platform does not say it twice; a name without any Latin letter or digit becomes `app`.
 */
export function appSlug(name: string, platform: AppPlatform): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
  const slug = words.join('-').slice(0, MAX_NAME).replace(/-$/, '') || 'app'
  if (slug === platform || slug.endsWith(`-${platform}`)) return slug
  return `${slug}-${platform}`
}

/** The slug itself, or the first of `slug-2`, `slug-3`… that is free. */
export function freeSlug(slug: string, taken: ReadonlySet<string>): string {
  if (!taken.has(slug)) return slug
  let number = 2
  while (taken.has(`${slug}-${number}`)) number += 1
  return `${slug}-${number}`
}
