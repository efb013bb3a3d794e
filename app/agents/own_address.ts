import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { refuse } from '#foundation/core/problems/problem'

/** Nearly every request names the same. */
let lastTaken: string | undefined

/**
 * A page of another site that a browser shows may not use what the machine can reach, nor may one
 * whose name was made to lead here: names are taken that nobody elsewhere can own.
 * @param baseUrl the address of the service for this request
 * @param hosts further names that the service is reached under
 * @throws host_refused, origin_refused
 */
export function demandOwnAddress(
  { host, origin }: IncomingHttpHeaders,
  baseUrl: string,
  hosts: readonly string[]
): void {
  if (host !== lastTaken) {
    const named = URL.parse(`http://${host}`)?.hostname
    if (named === undefined || !(isLocal(named) || hosts.includes(named)))
      throw refuse('host_refused', { isHostRefused: true })
    lastTaken = host
  }
  if (origin !== undefined && origin !== URL.parse(baseUrl)?.origin) throw refuse('origin_refused')
}

/** Addresses, this machine, and names of a network of one's own, which have no dot. */
function isLocal(hostname: string): boolean {
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return true
  return !hostname.includes('.') || hostname.endsWith('.localhost')
}
