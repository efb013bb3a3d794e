import type { Lifecycle, ProviderErrorCode } from '#plugin-kit/index'

/** The provider's error codes that say more than its status. */
const CODES: Readonly<Record<string, ProviderErrorCode>> = {
  // #region chat
  channel_not_found: 'notFound',
  message_not_found: 'notFound',
  // #endregion
  invalid_token: 'unauthorized',
}

/** Returns the meaning of a provider's error; undefined if its status says enough. */
export const describeError: NonNullable<Lifecycle['describeError']> = (status, body) => {
  if (status < 400) return undefined
  const { error } = (body ?? {}) as { error?: { code?: unknown; message?: unknown } }
  const code = typeof error?.code === 'string' ? CODES[error.code] : undefined
  return code ? { code, reason: String(error?.message ?? error?.code) } : undefined
}
