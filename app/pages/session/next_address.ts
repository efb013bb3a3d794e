/** The path under which all pages for signed-in people are. */
const PAGES_PATH = '/dashboard'

/**
 * Returns the page to open after signing in, as a path of this service; null for the default page.
 * The path comes from the parsed URL, because browsers may parse the given text differently.
 */
export function nextAddressOf(given: unknown, origin: string): string | null {
  if (typeof given !== 'string' || given.length > 2000 || !URL.canParse(given, origin)) return null
  const parsed = new URL(given, origin)
  const { pathname, search, hash } = parsed
  if (parsed.origin !== origin || parsed.username || parsed.password) return null
  const isPage = pathname === PAGES_PATH || pathname.startsWith(`${PAGES_PATH}/`)
  return isPage ? pathname + search + hash : null
}
