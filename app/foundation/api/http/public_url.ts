import type { HttpContext } from '@adonisjs/core/http'
import config from '@adonisjs/core/services/config'

/** The address people reach the service at: `PUBLIC_URL`, or what the request used. */
export function publicUrl(http: HttpContext): string {
  const configured = config.get<string>('app.publicUrl')
  if (configured) return configured
  const host = http.request.host()
  return host ? `${http.request.protocol()}://${host}` : ''
}
