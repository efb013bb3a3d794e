import type { HttpContext } from '@adonisjs/core/http'
import { publicUrl } from '#foundation/api/http/public_url'

const SESSION_COOKIE = 'tarmac'
const VISITOR_COOKIE = 'tarmac-visitor'

/** The way a page is reached, and what follows for passwords and cookies. */
export interface Transport {
  /** Address of the service as the reader has it, without a path. */
  origin: string
  /** By TLS: cookies are `Secure`, with a prefix that no other host can plant. */
  isSecure: boolean
  /** By TLS, or on this machine alone: nobody on the way reads a password. */
  isPrivate: boolean
  /** Name of the cookie of those who are signed in. */
  sessionCookie: string
  /** Name of the cookie that holds what is remembered of a visitor. */
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
    isPrivate: (isSecure || isLoopback(hostname)) && cameInPrivate(http),
    sessionCookie: prefix + SESSION_COOKIE,
    visitorCookie: prefix + VISITOR_COOKIE,
  }
}

/**
 * Behind a public address by TLS a request may still have come in the open: a proxy says so, and a
 * form names the page that it was sent from.
 */
function cameInPrivate({ request }: HttpContext): boolean {
  if (request.header('x-forwarded-proto')?.split(',')[0].trim() === 'http') return false
  const from = request.header('origin')
  if (!from || !URL.canParse(from)) return true
  const { protocol, hostname } = new URL(from)
  return protocol !== 'http:' || isLoopback(hostname)
}

/** Returns whether a host of a URL is this machine: what is sent to it leaves no network card. */
export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
