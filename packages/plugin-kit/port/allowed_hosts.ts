import type { PluginHosts } from '../manifest.js'
import { ProviderError } from '../provider_error.js'

/** Whether credentials may be sent with a request, or it may only fetch a file. */
export type Place = 'credentialed' | 'download'

/**
 * The origin of a connection's setting `host`: `git.acme.example`, `git.acme.example:8443` or
 * `http://10.0.0.5:3000`. Giving it is an operator's confirmation that the plugin may go there.
 * @returns null where the plugin takes none, or the text names no host
 */
export function originOf({ selfHosted }: PluginHosts, host: unknown): string | null {
  if (!selfHosted || typeof host !== 'string' || host === '') return null
  const text = /^https?:\/\//i.test(host) ? host : `https://${host}`
  if (!URL.canParse(text)) return null
  const { origin, username, password, pathname, search, hash } = new URL(text)
  const isBare = username + password + search + hash === '' && pathname === '/'
  return isBare ? origin : null
}

/** Where paths without a host are below: the connection's own host, or the first that is allowed. */
export function baseOf(hosts: PluginHosts, host: unknown): string | null {
  const own = originOf(hosts, host)
  if (own) return own
  const [first] = hosts.allow.filter((each) => !each.startsWith('*.'))
  return first === undefined ? null : `https://${first}`
}

/**
 * Holds a URL against what the manifest allows. Names are compared as the URL parser writes them:
 * lower case, IDNA, no default port; a dot at the end or an address makes another host.
 * @param confirmed the origin of the connection's own host
 * @throws ProviderError `forbidden`
 */
export function demandAllowed(url: URL, hosts: PluginHosts, confirmed: string | null): Place {
  if (url.username !== '' || url.password !== '') {
    throw refused('A URL of a provider holds no user or password')
  }
  if (confirmed !== null && url.origin === confirmed) return 'credentialed'
  if (url.protocol === 'https:' && url.port === '') {
    if (hosts.allow.some((pattern) => matches(pattern, url.hostname))) return 'credentialed'
    if (hosts.downloads?.some((pattern) => matches(pattern, url.hostname))) return 'download'
  }
  throw refused(`The plugin may not connect to ${url.protocol}//${url.host}`)
}

function matches(pattern: string, hostname: string): boolean {
  if (!pattern.startsWith('*.')) return hostname === pattern
  return hostname.endsWith(pattern.slice(1)) && hostname.length > pattern.length - 1
}

const refused = (message: string) =>
  new ProviderError('forbidden', message, { outcome: 'notApplied', reason: 'hostNotAllowed' })
