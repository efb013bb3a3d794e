import { readBlocks } from '#foundation/outbound/addresses'
import type { OutboundOptions } from '#foundation/outbound/client'
import env from '#start/env'

const LOOPBACK_HOSTS = ['127.0.0.1', '::1', 'localhost']

/** Where the service may connect, see `docs/operating.md`. */
export const outbound: OutboundOptions = {
  // Who can reach a service on loopback is on this machine already.
  allowLoopback: LOOPBACK_HOSTS.includes(env.get('HOST') ?? '127.0.0.1'),
  allow: readBlocks(env.get('OUTBOUND_ALLOW')),
}
