import { refused } from '../program/failures.js'

type CursorPlace = readonly (string | number | null)[]

/** Returns a position in a list as text, for the request of the next page. */
export function writeCursor(place: CursorPlace): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url')
}

/**
 * Returns the position that a cursor stands for.
 * @throws ProviderError `invalid` when it is not one of this list
 */
export function readCursor<Place extends CursorPlace>(
  cursor: string,
  isPlace: (place: unknown[]) => boolean
): Place {
  const place = parse(cursor)
  if (Array.isArray(place) && isPlace(place)) return place as unknown as Place
  throw refused('invalid', 'The cursor does not belong to this list', 'cursor')
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    return null
  }
}
