import { plain } from '#foundation/core/text'
import type { ApiKeyEntity } from '../entities.js'
import { listKeys } from '../queries/list_keys.js'
import { OrganizationCommand } from './organization_command.js'

export class KeyList extends OrganizationCommand {
  static override commandName = 'key:list'
  static override description = 'List the API keys of an organization'

  protected async work() {
    const document = await listKeys(this.readScope(await this.ofOrganization()))
    return { document, text: document.map(lineOf).join('\n') || 'There is no key yet.' }
  }
}

function lineOf(key: ApiKeyEntity): string {
  const powers = key.admin
    ? 'admin'
    : key.person
      ? `as ${key.person.email}`
      : key.groups.map((group) => group.name).join(', ') || 'read only'
  const apps = key.appRestricted ? ` on ${key.appIds.join(', ') || 'no app'}` : ''
  const until = key.expiresAt === null ? 'never expires' : `expires ${key.expiresAt}`
  const line = `${key.id}  ${key.status}  ${plain(key.name)}  ${powers}${apps}  ${until}`
  return key.warning === null ? line : `${line}\n  Mind: ${key.warning}`
}
