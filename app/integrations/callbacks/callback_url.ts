import config from '@adonisjs/core/services/config'

/** The largest callback, in bytes. */
export const MAX_CALLBACK_BYTES = 1024 * 1024

/** A callback address: of one integration (set up by hand), or of a whole connection. */
export interface CallbackAddress {
  of: 'connection' | 'integration'
  id: string
}

export const callbackPath = ({ of, id }: CallbackAddress) => `/${of}/${id}/callback`

/** Returns the URL for a provider's callbacks; null while the service has no public address. */
export function callbackUrl(address: CallbackAddress): string | null {
  const base = config.get<string>('app.publicUrl')
  return base ? `${base}${callbackPath(address)}` : null
}
