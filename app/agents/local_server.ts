import { clock } from '#foundation/core/services'
import { cursors, executor, quota } from '#foundation/api/services'
import type { Principal } from '#foundation/core/principal'
import { asAgent } from './client_names.js'
import { MessageLines } from './message_lines.js'
import { Plans } from './plans.js'
import type { Tool } from './tools/tool.js'

/**
 * Serves the protocol on standard input and output, for one connection.
 * @param authenticate finds the principal at every call, as a key may be revoked in the meantime
 * @param listing the tools that are listed
 */
export async function localServer(
  authenticate: () => Promise<Principal>,
  listing: readonly Tool[]
) {
  const [{ serveStdio, StdioServerTransport }, { makeServer }] = await Promise.all([
    import('@modelcontextprotocol/server/stdio'),
    import('./make_server.js'),
  ])
  const plans = new Plans(cursors)
  const messages = process.stdin.pipe(new MessageLines((text) => process.stdout.write(text)))
  const transport = new StdioServerTransport(messages, process.stdout)
  return serveStdio(
    () =>
      makeServer(async (client, isUrgent) => {
        const principal = asAgent(await authenticate(), client)
        const { refusal } = await quota.take(principal.organization.id, isUrgent)
        if (refusal) throw refusal
        return { principal, baseUrl: '', executor, plans, clock }
      }, listing),
    { transport }
  )
}
