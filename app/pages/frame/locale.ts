import type { HttpContext } from '@adonisjs/core/http'

/** Returns the browser's first language that times can be formatted in; browsers may send `*`. */
export const localeOf = (request: HttpContext['request']): string =>
  request.languages().find(isLocale) ?? 'en'

function isLocale(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0
  } catch {
    return false
  }
}
