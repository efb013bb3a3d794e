import type { PluginHosts } from '../manifest.js'
import { ProviderError } from '../provider_error.js'

/**
 * The permitted use of a host: requests with credentials, or only downloads or uploads without
 * them.
 */
export type Place = 'credentialed' | 'download' | 'upload'

/**
 * Returns the origin of a connection's setting `host`: `git.acme.example`, `git.acme.example:8443`
 * or `http://10.0.0.5:3000`. By setting it, an operator confirms that the plugin may connect there.
 * @returns null if the plugin takes no host, or the text is not one
 */
export function originOf({ selfHosted }: PluginHosts, host: unknown): string | null {
  if (!selfHosted || typeof host !== 'string' || host === '') return null
  const text = /^https?:\/\//i.test(host) ? host : `https://${host}`
  if (!URL.canParse(text)) return null
  const { origin, username, password, pathname, search, hash } = new URL(text)
  const isBare = username + password + search + hash === '' && pathname === '/'
  return isBare ? origin : null
}

/**
 * Returns the base of paths without a host: the connection's own host, or the first allowed one.
 */
export function baseOf(hosts: PluginHosts, host: unknown): string | null {
  const own = originOf(hosts, host)
  if (own) return own
  const [first] = hosts.allow.filter((each) => !each.startsWith('*.'))
  return first === undefined ? null : `https://${first}`
}

/**
 * Checks a URL against the hosts that the manifest allows, and returns its use. Credentials go to
 * the connection's own host if it has one; otherwise to the hosts that the manifest names, and of
 * those that a `*.` matches to the one that a setting names. Any other allowed host is used without
 * credentials, also after a redirect. Names are compared as the URL parser writes them: lower case,
 * IDNA, no default port; a trailing dot or an IP address makes a different host.
 * @param settings of the connection
 * @throws ProviderError `forbidden`
 */
export function requireAllowed(
  url: URL,
  hosts: PluginHosts,
  settings: Readonly<Record<string, unknown>>
): Place {
  if (url.username !== '' || url.password !== '') {
    throw refused('A URL of a provider holds no user or password')
  }
  const own = originOf(hosts, settings.host)
  if (own !== null && url.origin === own) return 'credentialed'
  if (url.protocol === 'https:' && url.port === '') {
    const { hostname } = url
    const matching = hosts.allow.filter((pattern) => matches(pattern, hostname))
    const isCredentialed = (pattern: string) =>
      !pattern.startsWith('*.') || isNamed(hostname, pattern.slice(1), settings)
    if (own === null && matching.some(isCredentialed)) return 'credentialed'
    if (matching.length > 0) return 'download'
    if (hosts.uploads?.some((pattern) => matches(pattern, hostname))) return 'upload'
    if (hosts.downloads?.some((pattern) => matches(pattern, hostname))) return 'download'
  }
  throw refused(`The plugin may not connect to ${url.protocol}//${url.host}`)
}

function matches(pattern: string, hostname: string): boolean {
  if (!pattern.startsWith('*.')) return hostname === pattern
  return hostname.endsWith(pattern.slice(1)) && hostname.length > pattern.length - 1
}

/**
 * Returns whether a setting is this host, a URL of it, or the part before the suffix, such as a
 * site or a region.
 */
function isNamed(
  hostname: string,
  suffix: string,
  settings: Readonly<Record<string, unknown>>
): boolean {
  return Object.values(settings).some((setting) => {
    if (typeof setting !== 'string') return false
    const named =
      /^https:\/\//i.test(setting) && URL.canParse(setting) ? new URL(setting).hostname : setting
    return [hostname, hostname.slice(0, -suffix.length)].includes(named.toLowerCase())
  })
}

/**
 * Checks that a setting names the host of an access without HTTP, and returns its URL.
 * @throws ProviderError `forbidden`
 */
export function requireNamed(origin: string, settings: Readonly<Record<string, unknown>>): URL {
  const url = URL.canParse(origin) ? new URL(origin) : null
  const isNamedBySetting = Object.values(settings).some(
    (setting) =>
      typeof setting === 'string' && URL.canParse(setting) && new URL(setting).host === url?.host
  )
  if (url && isNamedBySetting) return url
  throw refused('The plugin may only reach the hosts that the connection names')
}

const refused = (message: string) =>
  new ProviderError('forbidden', message, { outcome: 'notApplied', reason: 'hostNotAllowed' })
