import { readBlocks, servesThisMachineOnly } from '#outbound-client/addresses'
import type { OutboundOptions } from '#outbound-client/client'
import { readFakeHosts } from '#integrations/port/fake_hosts'
import env from '#start/env'

/** Allowed destinations of the service, see `docs/reference/settings.md`. */
export const outbound: OutboundOptions = {
  allowLoopback: servesThisMachineOnly({
    host: env.get('HOST') ?? '127.0.0.1',
    publicUrl: env.get('PUBLIC_URL'),
    hasProxy: Boolean(env.get('TRUST_PROXY')),
  }),
  allow: readBlocks(env.get('OUTBOUND_ALLOW')),
}

/** Fakes that answer in place of providers, to try the whole service on one machine. */
export const fakeHosts = readFakeHosts(env.get('PROVIDER_HOSTS'), outbound.allowLoopback === true)
