import { args } from '@adonisjs/core/ace'
import { findConnection } from '../queries/find_connection.js'
import { missingSentence } from './lacking.js'
import { ProviderCommand } from './provider_command.js'

export class ProviderCheck extends ProviderCommand {
  static override commandName = 'provider:check'
  static override description = 'Check the credentials of a connection'

  @args.string({ description: 'Id or alias of the connection' })
  declare connection: string

  protected async work() {
    const principal = await this.organizationPrincipal()
    const connection = await findConnection(this.readScope(principal), this.connection)
    const { id } = connection
    const { check, status } = await this.tryConnection(principal, connection)
    return {
      document: { id, status, ...check },
      text: check.ok
        ? `${id} works as ${check.account}.${missingSentence(check.missingPermissions)}`
        : `${id} does not work: ${check.message} (${check.code}). It is ${status}.`,
      failed: !check.ok || check.missingPermissions.length > 0,
    }
  }
}
