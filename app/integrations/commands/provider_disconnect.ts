import { args, flags } from '@adonisjs/core/ace'
import { DisconnectProvider } from '../actions/disconnect_provider.js'
import { ProviderCommand } from './provider_command.js'

export class ProviderDisconnect extends ProviderCommand {
  static override commandName = 'provider:disconnect'
  static override description = 'End a connection and forget its credentials'
  static override help = 'It is refused while apps use it, unless `--force` is given.'

  @args.string({ description: 'Id or alias of the connection' })
  declare connection: string

  @flags.boolean({ description: 'Disconnect even while apps use it; they keep their integrations' })
  declare force: boolean

  protected async work() {
    const document = await this.inTransaction(await this.organizationPrincipal(), (scope) =>
      new DisconnectProvider(scope).handle(this.connection, this.force ?? false)
    )
    const { id, removed } = document
    const outcome = removed ? 'is gone' : 'no longer has credentials; apps still name it'
    return { document, text: `${id} ${outcome}.` }
  }
}
