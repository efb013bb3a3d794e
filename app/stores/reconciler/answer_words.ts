import type { ProviderErrorCode } from '#plugin-kit/provider_error'

/** A message that begins with an HTTP request line. */
const REQUEST_LINE = /^(GET|HEAD|POST|PUT|PATCH|DELETE) \S/

const BY_CODE: Record<ProviderErrorCode | 'unusable', string> = {
  unauthorized: 'The store does not accept the credentials of the connection',
  forbidden: 'The credentials of the connection do not permit that in the store',
  notFound: 'The store cannot find it',
  conflict: 'It conflicts with the current state in the store',
  invalid: 'The store does not accept what it was sent',
  preconditionFailed: 'The store needs something else first',
  rateLimited: 'The store was called too often',
  quotaExhausted: 'The quota of calls to the store is used up',
  timeout: 'The store did not respond in time',
  unavailable: 'The store is unavailable',
  unsupported: 'The store cannot do that',
  protocol: 'The response of the store cannot be read',
  unusable: 'The connection to the store cannot be used',
}

/**
 * Returns the answer of a store for people: the plugin's message, or, if that is the text of an
 * HTTP request, one made from the error's code and the vendor's reason.
 */
export function answerInWords({
  code,
  reason = null,
  message,
}: {
  code?: ProviderErrorCode | 'unusable'
  reason?: string | null
  message: string
}): string {
  if (!REQUEST_LINE.test(message)) return message
  const words = code === undefined ? 'The response of the store was lost' : BY_CODE[code]
  return reason === null || reason === '' ? words : `${words} (${reason})`
}
