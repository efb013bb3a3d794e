import type { HttpContext } from '@adonisjs/core/http'

const FEATURES =
  'accelerometer camera display-capture geolocation gyroscope magnetometer microphone midi payment usb'

/** Headers of every page, beside its content security policy and its cache control. */
const HEADERS: Readonly<Record<string, string>> = {
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': FEATURES.split(' ')
    .map((feature) => `${feature}=()`)
    .join(', '),
}

/**
 * Returns the content security policy of a page, which loads from this service alone.
 * @param formAction other origins that forms of the page may lead to
 */
const contentPolicy = (formAction: readonly string[] = []): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    ["form-action 'self'", ...formAction].join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/**
 * Sets the headers of a page. A handler may call it again with others.
 * @param secret true for a page that shows or takes a secret: no cache stores it
 */
export function setPageHeaders(
  { response }: HttpContext,
  { secret = false, formAction }: { secret?: boolean; formAction?: readonly string[] } = {}
): void {
  for (const [name, value] of Object.entries(HEADERS)) response.header(name, value)
  response.vary(['Accept-Encoding', 'Accept-Language', 'Cookie'])
  response.header('content-security-policy', contentPolicy(formAction))
  response.header('cache-control', secret ? 'no-store' : 'private, no-cache')
}
