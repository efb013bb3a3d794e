import type { Lifecycle, ProviderErrorCode } from '@tarmac/plugin-kit'

/** The provider's words for what went wrong, where its status alone does not say it. */
const CODES: Readonly<Record<string, ProviderErrorCode>> = {
  channel_not_found: 'notFound',
  message_not_found: 'notFound',
  invalid_token: 'unauthorized',
}

/** Returns the meaning of an error of the provider; undefined leaves it to the status. */
export const describeError: NonNullable<Lifecycle['describeError']> = (status, body) => {
  if (status < 400) return undefined
  const { error } = (body ?? {}) as { error?: { code?: unknown; message?: unknown } }
  const code = typeof error?.code === 'string' ? CODES[error.code] : undefined
  return code ? { code, reason: String(error?.message ?? error?.code) } : undefined
}
