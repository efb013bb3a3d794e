import type { HttpContext } from '@adonisjs/core/http'

/** The headers of every page. */
const HEADERS = {
  'content-security-policy': policy(),
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
}

/**
 * The content security policy of a page: everything comes from the service itself.
 * @param formTargets other origins that a form of the page leads to
 */
export function policy(formTargets: readonly string[] = []): string {
  const own = ['script-src', 'style-src', 'img-src', 'font-src', 'connect-src']
  return [
    "default-src 'none'",
    ...own.map((each) => `${each} 'self'`),
    ["form-action 'self'", ...formTargets].join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** @param isSecret whether nobody may keep the page */
export function setPageHeaders({ response }: HttpContext, isSecret: boolean): void {
  for (const [name, value] of Object.entries(HEADERS)) response.header(name, value)
  response.header('content-type', 'text/html; charset=utf-8')
  response.header('cache-control', isSecret ? 'no-store' : 'private, no-cache')
  response.header('vary', 'Accept-Encoding, Accept-Language, Cookie')
}
