/** Characters that a URL holds only percent-encoded (RFC 3986, section 2). */
const UNENCODED = /[\s"<>\\^`{|}]/

/**
 * Checks that a text is the address of a web page: http or https, with a host, without user name or
 * password.
 * @returns the rest of a sentence about the fault; null if there is none
 */
export function webUrlFault(text: string): string | null {
  if (!/^https?:\/\//i.test(text) || UNENCODED.test(text) || !URL.canParse(text)) {
    return 'has to be an http or https URL'
  }
  const { username, password } = new URL(text)
  const authority = /^https?:\/\/([^/?#]*)/i.exec(text)?.[1] ?? ''
  // `URL` skips extra slashes, so that `https:///x` would have the host `x`.
  if (authority === '') return 'has to be an http or https URL'
  if (username || password || authority.includes('@')) {
    return 'must not hold a user name or a password'
  }
  return null
}
