/** A plain word in an API path: `repos`, `access_tokens`, `v3`, `appStoreVersions`, `index.php`. */
const WORD = /^[A-Za-z][A-Za-z_.-]{0,30}\d{0,2}$/

const MAX_LENGTH = 200

/**
 * Returns a path that may be logged: with `{id}` for every part that is not a plain word, since
 * some vendors put secrets into paths.
 */
export function safePath(pathname: string, redact: (text: string) => string): string {
  const parts = pathname.split('/').map((part) => {
    const safe = part === '' || (WORD.test(part) && redact(part) === part)
    return safe ? part : '{id}'
  })
  return parts.join('/').slice(0, MAX_LENGTH)
}
