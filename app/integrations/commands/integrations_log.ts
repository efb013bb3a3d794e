import { flags } from '@adonisjs/core/ace'
import { UsageError } from '#foundation/console/usage_error'
import { findConnection } from '../queries/find_connection.js'
import { listCalls, type ListedCall } from '../queries/list_calls.js'
import { ProviderCommand } from './provider_command.js'

const MAX_SHOWN = 1000

export class IntegrationsLog extends ProviderCommand {
  static override commandName = 'integrations:log'
  static override description = 'Show the latest calls to providers, newest first'
  static override help = 'It holds no queries, bodies, headers or secrets.'

  @flags.string({ description: 'Id or alias of a connection; all connections by default' })
  declare connection: string | undefined

  @flags.number({ description: `How many calls, at most ${MAX_SHOWN}`, default: 50 })
  declare limit: number

  protected async work() {
    if (!Number.isSafeInteger(this.limit) || this.limit < 1 || this.limit > MAX_SHOWN) {
      throw new UsageError(`--limit takes a whole number from 1 to ${MAX_SHOWN}.`)
    }
    const scope = this.readScope(await this.organizationPrincipal())
    const connection = this.connection ? await findConnection(scope, this.connection) : null
    const document = await listCalls(scope, { connectionId: connection?.id, limit: this.limit })
    return { document, text: document.map(lineOf).join('\n') || 'No provider has been called yet.' }
  }
}

function lineOf(call: ListedCall): string {
  const { calledAt, connectionId, pluginId, method, host, path, status, milliseconds } = call
  const { attempt, remaining, outcome, code } = call
  const result = code === null ? `${status}` : `${status ?? '-'} ${code} (${outcome})`
  const more = [
    `${milliseconds} ms`,
    ...(attempt > 1 ? [`attempt ${attempt}`] : []),
    ...(remaining === null ? [] : [`${remaining} left`]),
  ]
  const who = connectionId ?? `${pluginId} (not stored)`
  return `${calledAt}  ${who}  ${method} ${host}${path}  ${result}  ${more.join(', ')}`
}
