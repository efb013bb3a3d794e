/** The beginning of the paths of all pages for signed-in people. */
const BEGIN = '/dashboard'

/**
 * Returns where to go after signing in, as a path of this service; null for the default page. It is
 * taken from the parsed URL and never from the given text, which browsers may parse differently.
 */
export function nextOf(given: unknown, origin: string): string | null {
  if (typeof given !== 'string' || given.length > 2000 || !URL.canParse(given, origin)) return null
  const { origin: its, pathname, search, hash, username, password } = new URL(given, origin)
  if (its !== origin || username || password) return null
  const isPage = pathname === BEGIN || pathname.startsWith(`${BEGIN}/`)
  return isPage ? pathname + search + hash : null
}
