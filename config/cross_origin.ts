import env from '#start/env'

/**
 * Reads `CORS_ORIGINS`: the origins whose scripts may use the API.
 * @throws Error that says what the setting may be
 */
export function readOrigins(setting = ''): ReadonlySet<string> {
  const given = setting.split(',').flatMap((each) => each.trim() || [])
  for (const each of given) {
    const url = URL.parse(each)
    const isOpen =
      url?.protocol === 'http:' && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
    if (url?.origin === each && !each.includes('*') && (url.protocol === 'https:' || isOpen))
      continue
    throw new Error(
      `CORS_ORIGINS is a list of origins, such as "https://app.example.com,http://localhost:5173": "${each}" is none. Each is a scheme, a host and a port where it is not the usual one, without a path; plain HTTP is for this machine.`
    )
  }
  return new Set(given)
}

/** The origins whose scripts may use the API. */
export const crossOrigins = readOrigins(env.get('CORS_ORIGINS'))
