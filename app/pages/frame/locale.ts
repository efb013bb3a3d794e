import type { HttpContext } from '@adonisjs/core/http'
import { IANAZone } from 'luxon'

/** The cookie in which script notes the time zone of the browser. */
const ZONE_COOKIE = 'tarmac-zone'

/** Returns the time zone that a person has chosen, else that of the browser, else UTC. */
export function zoneOf(
  request: HttpContext['request'],
  { timeZone }: { timeZone: string | null }
): string {
  if (timeZone !== null) return timeZone
  const zone: unknown = request.plainCookie(ZONE_COOKIE, { encoded: false })
  return typeof zone === 'string' && IANAZone.isValidZone(zone) ? zone : 'UTC'
}

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
