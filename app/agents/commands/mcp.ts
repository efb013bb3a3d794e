import { flags } from '@adonisjs/core/ace'
import { once } from 'node:events'
import { ConsoleCommand } from '#foundation/console/console_command'
import { UsageError } from '#foundation/console/usage_error'
import { declarationOf } from '#foundation/core/problems/catalog'
import { refuse } from '#foundation/core/problems/problem'
import { ApiKeyAuthenticator } from '#organizations/api_key_authenticator'
import { localServer } from '../local_server.js'
import { faultOfSets, toolsOf } from '../tools/sets.js'

export class Mcp extends ConsoleCommand {
  static override commandName = 'mcp'
  static override description =
    'Serve the agent protocol (MCP) on standard input and output, with the key in TARMAC_API_KEY'
  static override help = 'The key is checked first; if it is invalid, the command ends at once.'

  @flags.string({
    description: 'Sets of tools to list: default, plan, changes, builds, admin, or all',
    default: 'default',
  })
  declare tools: string

  protected async work() {
    const wrong = faultOfSets(this.tools)
    if (wrong !== null) throw new UsageError(wrong)
    const key = process.env.TARMAC_API_KEY
    if (!key) throw new UsageError('Set TARMAC_API_KEY to the key that the assistant uses.')
    const find = await this.#finderOf(key)
    const found = await find()
    if (typeof found === 'string') {
      const [, title, help] = declarationOf(found)
      throw new UsageError(`The key in TARMAC_API_KEY is refused. ${title}. ${help}`)
    }
    const connection = await localServer(async () => {
      const present = await find()
      if (typeof present === 'string') throw refuse(present)
      return present
    }, toolsOf(this.tools))
    // A file that was read to its end does not emit `close`.
    await Promise.race([once(process.stdin, 'end'), once(process.stdin, 'close')])
    await connection.close()
    return { document: null, text: '' }
  }

  /** Returns a function that finds the current principal of a key. */
  async #finderOf(key: string) {
    const selects = await this.app.container.make('selects')
    const changes = await this.app.container.make('changes')
    const authenticator = new ApiKeyAuthenticator(this.database, selects, this.clock)
    return () => authenticator.authenticate(key, (id) => changes.of(id))
  }
}
