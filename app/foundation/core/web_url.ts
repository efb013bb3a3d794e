/** Characters that a URL holds only percent-encoded (RFC 3986, section 2). */
const UNENCODED = /[\s"<>\\^`{|}]/

/**
 * What keeps text from being the address of a page that people open: http or https, with a host,
 * without a user name or password.
 * @returns the rest of a sentence about it; null when it is one
 */
export function webUrlFault(text: string): string | null {
  if (!/^https?:\/\//i.test(text) || UNENCODED.test(text) || !URL.canParse(text)) {
    return 'has to be an http or https URL'
  }
  const { username, password } = new URL(text)
  const authority = /^https?:\/\/([^/?#]*)/i.exec(text)?.[1] ?? ''
  // The parser takes further slashes as none.
  if (authority === '') return 'has to be an http or https URL'
  if (username || password || authority.includes('@')) {
    return 'must not hold a user name or a password'
  }
  return null
}
