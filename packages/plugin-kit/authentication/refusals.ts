import { ProviderError } from '../provider_error.js'

/** There is no token to be had with these credentials. */
export const refusedToken = (message: string, reason?: string) =>
  new ProviderError('unauthorized', message, {
    outcome: 'notApplied',
    ...(reason === undefined ? {} : { reason }),
  })

/** A token endpoint answered what is no token. */
export const brokenToken = (message: string) =>
  new ProviderError('protocol', message, { outcome: 'notApplied' })
