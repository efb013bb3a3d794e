import { listConnections, type ListedConnection } from '../queries/list_connections.js'
import { ProviderCommand } from './provider_command.js'

export class ProviderList extends ProviderCommand {
  static override commandName = 'provider:list'
  static override description = 'List the providers an organization is connected to'

  protected async work() {
    const document = await listConnections(this.readScope(await this.organizationPrincipal()))
    return { document, text: document.map(lineOf).join('\n') || 'There is no connection yet.' }
  }
}

function lineOf({ id, alias, status, types, credentials, endsAt }: ListedConnection): string {
  const offered = types.join(', ') || 'its plugin does not run'
  const ends = endsAt === null ? '' : `  ends ${endsAt}`
  return `${id}  ${alias ?? '-'}  ${status}  ${offered}  ${credentials.fingerprint ?? 'no credentials'}${ends}`
}
