import type { ProviderErrorCode } from '#plugin-kit/provider_error'

/** Errors of a host about what is named rather than about the caller: the rest may be requested. */
export const NAMED_ENTITY_ERRORS = new Set<ProviderErrorCode>(['forbidden', 'notFound', 'invalid'])
