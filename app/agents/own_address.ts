import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { refuse } from '#foundation/core/problems/problem'

/** The last accepted host. Nearly every request has the same one. */
let lastTaken: string | undefined

/**
 * Refuses requests of foreign web pages, which could otherwise use what this machine can reach,
 * even with a name that resolves to it (DNS rebinding). Only names that nobody elsewhere can own
 * are accepted.
 * @param baseUrl the address of the service for this request
 * @param hosts further names of the service
 * @throws host_refused, origin_refused
 */
export function requireOwnAddress(
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

/** Accepts IP addresses, this machine, and names of a local network, which have no dot. */
function isLocal(hostname: string): boolean {
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return true
  return !hostname.includes('.') || hostname.endsWith('.localhost')
}
