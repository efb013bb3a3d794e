import { isRead } from '../answer_error.js'
import type { PortInit } from '../http.js'
import type { PluginHosts } from '../manifest.js'
import { ProviderError } from '../provider_error.js'
import { demandAllowed, type Place } from './allowed_hosts.js'

/** A request that may be sent. */
export interface Admitted {
  place: Place
  /** It goes without what authenticates. */
  isAnonymous: boolean
  headers: Headers
}

/**
 * Checks a request of a plugin, and its credentials: hosts outside of the credentials' scope are
 * only read, or given files by `PUT` where the manifest says so, and receive no secret, whoever put
 * it into a header.
 * @throws ProviderError `forbidden`
 */
export function admitted(
  request: Request,
  init: Pick<PortInit, 'anonymous'>,
  {
    hosts,
    settings,
    redact,
  }: {
    hosts: PluginHosts
    settings: Readonly<Record<string, unknown>>
    redact: (text: string) => string
  }
): Admitted {
  const url = new URL(request.url)
  const place = demandAllowed(url, hosts, settings)
  const headers = new Headers(request.headers)
  if (place === 'credentialed') return { place, isAnonymous: init.anonymous === true, headers }
  const isUpload = place === 'upload' && request.method === 'PUT'
  if (!isRead(request.method) && !isUpload) {
    throw new ProviderError('forbidden', `${url.host} is only read, without credentials`, {
      outcome: 'notApplied',
      reason: 'hostNotAllowed',
    })
  }
  for (const [name, value] of [...headers]) {
    const isSecret = ['authorization', 'cookie'].includes(name) || redact(value) !== value
    if (isSecret) headers.delete(name)
  }
  return { place, isAnonymous: true, headers }
}
