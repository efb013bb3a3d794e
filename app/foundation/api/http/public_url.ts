import type { HttpContext } from '@adonisjs/core/http'
import env from '#start/env'

/** The address people reach the service at: `PUBLIC_URL`, or what the request used. */
export function publicUrl(http: HttpContext): string {
  const configured = env.get('PUBLIC_URL')
  if (configured) return configured.replace(/\/+$/, '')
  const host = http.request.host()
  return host ? `${http.request.protocol()}://${host}` : ''
}
