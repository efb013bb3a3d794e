/** The path prefix of all pages for signed-in people. */
const PAGES_PATH = '/dashboard'

/**
 * Returns the page to open after signing in, as a path of this service; null for the default page.
 * The path comes from the parsed URL, because browsers may parse the input differently.
 */
export function nextAddressOf(input: unknown, origin: string): string | null {
  if (typeof input !== 'string' || input.length > 2000 || !URL.canParse(input, origin)) return null
  const parsed = new URL(input, origin)
  const { pathname, search, hash } = parsed
  if (parsed.origin !== origin || parsed.username || parsed.password) return null
  const isPage = pathname === PAGES_PATH || pathname.startsWith(`${PAGES_PATH}/`)
  return isPage ? pathname + search + hash : null
}
