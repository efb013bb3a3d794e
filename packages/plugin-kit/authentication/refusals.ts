import { ProviderError } from '../provider_error.js'

/** No token can be obtained with these credentials. */
export const refusedToken = (message: string, reason?: string) =>
  new ProviderError('unauthorized', message, {
    outcome: 'notApplied',
    ...(reason === undefined ? {} : { reason }),
  })

/** The response of a token endpoint holds no usable token. */
export const brokenToken = (message: string) =>
  new ProviderError('protocol', message, { outcome: 'notApplied' })
