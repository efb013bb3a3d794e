import { clock } from '#foundation/core/services'
import { cursors, executor, quota } from '#foundation/api/services'
import type { Principal } from '#foundation/core/principal'
import { asAgent } from './client_names.js'
import { Plans } from './plans.js'

/**
 * The protocol on standard input and output, for one connection.
 * @param authenticate who asks, at every call: a key may be revoked meanwhile
 */
export async function localServer(authenticate: () => Promise<Principal>) {
  const [{ serveStdio }, { makeServer }] = await Promise.all([
    import('@modelcontextprotocol/server/stdio'),
    import('./make_server.js'),
  ])
  const plans = new Plans(cursors)
  return serveStdio(() =>
    makeServer(async (client) => {
      const principal = asAgent(await authenticate(), client)
      const { refusal } = await quota.take(principal.organization.id)
      if (refusal) throw refusal
      return { principal, baseUrl: '', executor, plans, clock }
    })
  )
}
