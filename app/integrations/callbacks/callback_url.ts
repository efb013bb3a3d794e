import config from '@adonisjs/core/services/config'

/** The largest callback, in bytes. */
export const MAX_CALLBACK_BYTES = 1024 * 1024

/** Where a provider sends what it has to say; null while people cannot reach the service. */
export function callbackUrl(integrationId: string): string | null {
  const base = config.get<string>('app.publicUrl')
  return base ? `${base}/integration/${integrationId}/callback` : null
}
