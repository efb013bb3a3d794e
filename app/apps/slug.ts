import string from '@adonisjs/core/helpers/string'
import type { AppPlatform } from '#apps/vocabulary'

const MAX_NAME = 60

/**
 * Creates the id of an app: its name and platform as a slug (`acme-ios`). The platform is not
 * repeated when the name already ends with it. A name that cannot be written in Latin letters or
 * digits becomes `app`.
 */
export function appSlug(name: string, platform: AppPlatform): string {
  const slug = nameSlug(name).slice(0, MAX_NAME).replace(/-$/, '') || 'app'
  if (slug === platform || slug.endsWith(`-${platform}`)) return slug
  return `${slug}-${platform}`
}

/**
 * The library spells out `&` or `$`, drops other signs between words, and drops some letters with
 * their accents (`ĝ`, `ǎ`). So it receives words of plain letters.
 */
function nameSlug(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
  return string.slug(words, { lower: true, strict: true })
}

/** Returns `count` slugs (the slug itself, `slug-2`, `slug-3`…), starting at number `from`. */
export function numberedSlugs(slug: string, from: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const number = from + index
    return number === 1 ? slug : `${slug}-${number}`
  })
}
