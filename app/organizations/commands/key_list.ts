import { plain } from '#foundation/core/text'
import type { ApiKeyEntity } from '../entities.js'
import { listKeys } from '../queries/list_keys.js'
import { OrganizationCommand } from './organization_command.js'

export class KeyList extends OrganizationCommand {
  static override commandName = 'key:list'
  static override description = 'List the API keys of an organization'

  protected async work() {
    const document = await listKeys(this.readScope(await this.organizationPrincipal()))
    return { document, text: document.map(lineOf).join('\n') || 'There are no keys yet.' }
  }
}

function rightsOf({ admin, person, groups }: ApiKeyEntity): string {
  if (admin) return 'admin'
  if (person) return `as ${person.email}`
  return groups.map(({ name }) => name).join(', ') || 'read only'
}

function lineOf(key: ApiKeyEntity): string {
  const apps = key.appRestricted ? ` on ${key.appIds.join(', ') || 'no app'}` : ''
  const until = key.expiresAt === null ? 'never expires' : `expires ${key.expiresAt}`
  const line = `${key.id}  ${key.status}  ${plain(key.name)}  ${rightsOf(key)}${apps}  ${until}`
  return key.warning === null ? line : `${line}\n  Note: ${key.warning}`
}
