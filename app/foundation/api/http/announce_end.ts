import type { HttpContext } from '@adonisjs/core/http'
import type { Deprecation } from '../operation/declaration.js'

/** Announces that an operation is deprecated (RFC 9745), and when it will be removed (RFC 8594). */
export function announceEnd(
  response: HttpContext['response'],
  { since, sunset, link }: Deprecation
): void {
  response.header('deprecation', `@${Math.floor(Date.parse(since) / 1000)}`)
  if (sunset !== undefined) response.header('sunset', new Date(sunset).toUTCString())
  response.append('link', `<${link}>; rel="deprecation"; type="text/html"`)
}
