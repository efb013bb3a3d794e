import { args } from '@adonisjs/core/ace'
import { RecordCheck } from '../actions/record_check.js'
import { openCredentials } from '../connections/credentials.js'
import { findConnection, pluginOfConnection } from '../queries/find_connection.js'
import { ProviderCommand } from './provider_command.js'

export class ProviderCheck extends ProviderCommand {
  static override commandName = 'provider:check'
  static override description = 'Try the credentials of a connection'

  @args.string({ description: 'Id or alias of the connection' })
  declare connection: string

  protected async work() {
    const of = await this.ofOrganization()
    const scope = this.readScope(of)
    const connection = await findConnection(scope, this.connection)
    const plugin = pluginOfConnection(connection)
    const { id, settings } = connection
    const { version, credentials } = await openCredentials(scope, await this.secrets(), id)
    const check = await (await this.caller()).check(plugin, { settings, credentials })
    const { status } = await this.inTransaction(of, (each) =>
      new RecordCheck(each).handle(id, version, check)
    )
    return {
      document: { id, status, ...check },
      text: check.ok
        ? `${id} works as ${check.account}.${lacking(check.missingPermissions)}`
        : `${id} does not work: ${check.message} (${check.code}). It is ${status}.`,
      failed: !check.ok,
    }
  }
}

function lacking(permissions: readonly string[]): string {
  return permissions.length === 0 ? '' : ` It lacks ${permissions.join(', ')}.`
}
