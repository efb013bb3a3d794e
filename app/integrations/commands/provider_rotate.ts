import { args, flags } from '@adonisjs/core/ace'
import { RotateCredentials } from '../actions/rotate_credentials.js'
import { requireValidConnection } from '../connections/connection_errors.js'
import { findConnection, pluginOfConnection } from '../queries/find_connection.js'
import { credentialsOption } from './options.js'
import { ProviderCommand } from './provider_command.js'

export class ProviderRotate extends ProviderCommand {
  static override commandName = 'provider:rotate'
  static override description = 'Give a connection new credentials, which are checked first'
  static override help = 'The old ones are forgotten once the new ones work.'

  @args.string({ description: 'Id or alias of the connection' })
  declare connection: string

  @flags.array({
    flagName: 'credential',
    description: 'A credential, as key=value; may be repeated. Others on the machine may see it',
  })
  declare credentials: string[] | undefined

  @flags.string({ description: 'A file with the credentials as one JSON object; - is stdin' })
  declare credentialsFile: string | undefined

  protected async work() {
    const principal = await this.organizationPrincipal()
    const found = await findConnection(this.readScope(principal), this.connection)
    const plugin = pluginOfConnection(found)
    const given = { pairs: this.credentials, file: this.credentialsFile }
    const entered = await credentialsOption(given, plugin.manifest.credentialSchema)
    requireValidConnection(plugin.manifest, { credentials: entered })
    const { check, credentials } = await (
      await this.caller()
    ).tryOut(plugin, {
      organization: principal.organization,
      settings: found.settings,
      credentials: entered,
    })
    const secrets = await this.secrets()
    const { connection, version } = await this.inTransaction(principal, (scope) =>
      new RotateCredentials(scope, secrets).handle(found.id, credentials, check)
    )
    const { id, alias, pluginId, status } = connection
    return {
      document: { id, alias, plugin: pluginId, version, status },
      text: `${id} has new credentials, version ${version}; it is ${status}.`,
    }
  }
}
