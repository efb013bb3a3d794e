import type { HttpContext } from '@adonisjs/core/http'

/** The first language of the browser that times can be formatted in; it may name any, and `*`. */
export const localeOf = (request: HttpContext['request']): string =>
  request.languages().find(isLocale) ?? 'en'

function isLocale(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0
  } catch {
    return false
  }
}
