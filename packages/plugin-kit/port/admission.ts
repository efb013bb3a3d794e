import { isRead } from '../answer_error.js'
import type { PortInit } from '../http.js'
import type { PluginHosts } from '../manifest.js'
import { ProviderError } from '../provider_error.js'
import { requireAllowed, type Place } from './allowed_hosts.js'

/** A request that may be sent. */
export interface Admitted {
  place: Place
  /** The request is sent without authentication. */
  isAnonymous: boolean
  headers: Headers
}

/**
 * Checks whether a plugin may send a request, and strips its secrets if needed. Hosts outside of
 * the credentials' scope may only be read, or get files by `PUT` if the manifest lists them for
 * uploads; headers with a secret are removed.
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
  const place = requireAllowed(url, hosts, settings)
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
    // Its numbers may contain a short id of the credentials by chance.
    if (name === 'range') continue
    const isSecret = ['authorization', 'cookie'].includes(name) || redact(value) !== value
    if (isSecret) headers.delete(name)
  }
  return { place, isAnonymous: true, headers }
}
