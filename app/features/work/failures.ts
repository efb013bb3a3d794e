import type { ProviderErrorCode } from '#plugin-kit/provider_error'

/** Errors of a host about what is named rather than about the caller: the rest may be requested. */
export const OF_WHAT_IS_NAMED = new Set<ProviderErrorCode>(['forbidden', 'notFound', 'invalid'])
