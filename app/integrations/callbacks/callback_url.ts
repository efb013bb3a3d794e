import config from '@adonisjs/core/services/config'

/** The largest callback, in bytes. */
export const MAX_CALLBACK_BYTES = 1024 * 1024

/** Returns the URL for a provider's callbacks; null while the service has no public address. */
export function callbackUrl(integrationId: string): string | null {
  const base = config.get<string>('app.publicUrl')
  return base ? `${base}/integration/${integrationId}/callback` : null
}
