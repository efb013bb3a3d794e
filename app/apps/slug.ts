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

/** `count` of the slug itself, `slug-2`, `slug-3`…, from the one of a number on. */
export function numberedSlugs(slug: string, from: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const number = from + index
    return number === 1 ? slug : `${slug}-${number}`
  })
}
