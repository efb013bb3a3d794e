/** Makes a JSON pointer (RFC 6901) of names and indexes; without any it points to the whole. */
export function jsonPointer(...segments: readonly (string | number)[]): string {
  return segments
    .map((segment) => `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('')
}
