/** The maximum number of custom headers of an endpoint. */
export const MAX_CUSTOM_HEADERS = 20

export const MAX_HEADER_VALUE = 2000

const TOKEN = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/
const VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/

/** Headers that the service, the connection or HTTP itself owns. */
const RESERVED = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'cookie',
  'date',
  'expect',
  'forwarded',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'via',
])
const RESERVED_PREFIXES = ['webhook-', 'svix-', 'x-forwarded-', 'sec-', 'x-tarmac-']

/** Returns the fault of a custom header; null if it is valid. */
export function headerFault(name: string, value: unknown): string | null {
  if (!TOKEN.test(name)) return 'The name of a header is 1 to 100 letters, digits and dashes.'
  const lower = name.toLowerCase()
  if (RESERVED.has(lower) || RESERVED_PREFIXES.some((prefix) => lower.startsWith(prefix))) {
    return `The header ${name} is reserved.`
  }
  if (typeof value !== 'string' || value.length > MAX_HEADER_VALUE || !VALUE.test(value)) {
    return `The value of ${name} must be 1 to ${MAX_HEADER_VALUE} visible ASCII characters.`
  }
  return null
}
