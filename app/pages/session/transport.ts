import type { HttpContext } from '@adonisjs/core/http'
import { publicUrl } from '#foundation/api/http/public_url'

const SESSION_COOKIE = 'tarmac'
const VISITOR_COOKIE = 'tarmac-visitor'

/** The way a page is reached, and its consequences for passwords and cookies. */
export interface Transport {
  /** URL by which the reader reaches the service, without a path. */
  origin: string
  /** True for TLS: cookies are `Secure`, with a prefix that no other host can set. */
  isSecure: boolean
  /** True for TLS or on the same machine: nobody can read a password on the way. */
  isPrivate: boolean
  /** Name of the cookie of a signed-in person. */
  sessionCookie: string
  /** Name of the cookie that holds the data of a visitor. */
  visitorCookie: string
}

/** Returns how a page is reached: by `PUBLIC_URL`, or as the request came. */
export function transportOf(http: HttpContext): Transport {
  const base = publicUrl(http)
  const { origin, protocol, hostname } = new URL(URL.canParse(base) ? base : 'http://unknown')
  const isSecure = protocol === 'https:'
  const prefix = isSecure ? '__Host-' : ''
  return {
    origin,
    isSecure,
    isPrivate: (isSecure || isLoopback(hostname)) && arrivedByTls(http),
    sessionCookie: prefix + SESSION_COOKIE,
    visitorCookie: prefix + VISITOR_COOKIE,
  }
}

/**
 * Returns whether a request arrived by TLS, according to its headers. Even if the public URL has
 * TLS, a proxy may report plain HTTP, and so may the `Origin` of a form.
 */
function arrivedByTls({ request }: HttpContext): boolean {
  if (request.header('x-forwarded-proto')?.split(',')[0].trim() === 'http') return false
  const from = request.header('origin')
  if (!from || !URL.canParse(from)) return true
  const { protocol, hostname } = new URL(from)
  return protocol !== 'http:' || isLoopback(hostname)
}

/** Returns whether the host of a URL is this machine. */
export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
