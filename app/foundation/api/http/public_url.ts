import type { HttpContext } from '@adonisjs/core/http'
import config from '@adonisjs/core/services/config'

/**
 * Returns the address of the service as its operator configures it (`PUBLIC_URL`); empty if not
 * set.
 */
export const configuredUrl = () => config.get<string>('app.publicUrl')

/** Returns the address people reach the service at: `PUBLIC_URL`, or what the request used. */
export function publicUrl(http: HttpContext): string {
  const configured = configuredUrl()
  if (configured) return configured
  const host = http.request.host()
  return host ? `${http.request.protocol()}://${host}` : ''
}
