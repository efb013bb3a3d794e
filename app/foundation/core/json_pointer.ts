/** A JSON pointer (RFC 6901) to a place by its names and indexes; none is the whole. */
export function jsonPointer(...segments: readonly (string | number)[]): string {
  return segments
    .map((segment) => `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('')
}
