import { once } from 'node:events'
import { ConsoleCommand } from '#foundation/console/console_command'
import { refuse } from '#foundation/core/problems/problem'
import { UsageError } from '#foundation/console/usage_error'
import { ApiKeyAuthenticator } from '#organizations/api_key_authenticator'
import { localServer } from '../local_server.js'

export class Mcp extends ConsoleCommand {
  static override commandName = 'mcp'
  static override description =
    'Serve the agent protocol (MCP) on standard input and output, with the key in TARMAC_API_KEY'

  protected async work() {
    const key = process.env.TARMAC_API_KEY
    if (!key) throw new UsageError('Set TARMAC_API_KEY to the key that the assistant acts with.')
    const selects = await this.app.container.make('selects')
    const changes = await this.app.container.make('changes')
    const authenticator = new ApiKeyAuthenticator(this.database, selects, this.clock)
    const connection = await localServer(async () => {
      const found = await authenticator.authenticate(key, (id) => changes.of(id))
      if (typeof found === 'string') throw refuse(found)
      return found
    })
    // A file that was read to its end is not closed.
    await Promise.race([once(process.stdin, 'end'), once(process.stdin, 'close')])
    await connection.close()
    return { document: null, text: '' }
  }
}
