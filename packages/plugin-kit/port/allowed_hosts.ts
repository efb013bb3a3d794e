import type { PluginHosts } from '../manifest.js'
import { ProviderError } from '../provider_error.js'

/**
 * The use of a host: credentials may be sent with a request, or it may only download or upload a
 * file.
 */
export type Place = 'credentialed' | 'download' | 'upload'

/**
 * The origin of a connection's setting `host`: `git.acme.example`, `git.acme.example:8443` or
 * `http://10.0.0.5:3000`. Giving it is an operator's confirmation that the plugin may go there.
 * @returns null if the plugin takes none, or the text names no host
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
 * Holds a URL against what the manifest allows, and against what the connection's credentials are
 * for: its own host where it has one; else the hosts that the manifest names, and of those below a
 * `*.` the one that a setting names. Whatever else is allowed is read without credentials, wherever
 * a redirect or a link of the provider leads. Names are compared as the URL parser writes them:
 * lower case, IDNA, no default port; a dot at the end or an address makes another host.
 * @param settings of the connection
 * @throws ProviderError `forbidden`
 */
export function demandAllowed(
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
    const isFor = (pattern: string) =>
      !pattern.startsWith('*.') || isNamed(hostname, pattern.slice(1), settings)
    if (own === null && matching.some(isFor)) return 'credentialed'
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
 * Returns whether a setting is this host, a URL of it, or the part before the suffix: a site, a
 * region.
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
 * Holds what is reached past HTTP against the settings, of which one has to name the host.
 * @throws ProviderError `forbidden`
 */
export function demandNamed(origin: string, settings: Readonly<Record<string, unknown>>): URL {
  const url = URL.canParse(origin) ? new URL(origin) : null
  const isOne = Object.values(settings).some(
    (setting) =>
      typeof setting === 'string' && URL.canParse(setting) && new URL(setting).host === url?.host
  )
  if (url && isOne) return url
  throw refused('The plugin may only reach the hosts that the connection names')
}

const refused = (message: string) =>
  new ProviderError('forbidden', message, { outcome: 'notApplied', reason: 'hostNotAllowed' })
