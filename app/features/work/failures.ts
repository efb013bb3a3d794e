import type { ProviderErrorCode } from '#plugin-kit/provider_error'

/** What a host says of what is named, and not of whoever asks: the rest may be asked for. */
export const OF_WHAT_IS_NAMED = new Set<ProviderErrorCode>(['forbidden', 'notFound', 'invalid'])
