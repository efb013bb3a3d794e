/** The first part of paths of pages for those who are signed in. */
const BEGIN = '/dashboard'

/**
 * Returns where to go after signing in, as a path of this service, or null for the usual place.
 * Browsers read an address in many ways, so it is read as one and its path taken, never its text.
 */
export function nextOf(given: unknown, origin: string): string | null {
  if (typeof given !== 'string' || given.length > 2000 || !URL.canParse(given, origin)) return null
  const { origin: its, pathname, search, hash, username, password } = new URL(given, origin)
  if (its !== origin || username || password) return null
  const isPage = pathname === BEGIN || pathname.startsWith(`${BEGIN}/`)
  return isPage ? pathname + search + hash : null
}
