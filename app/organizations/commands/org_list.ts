import { ConsoleCommand } from '#foundation/console/console_command'
import Organization from '../models/organization.js'

export class OrgList extends ConsoleCommand {
  static override commandName = 'org:list'
  static override description = 'List the organizations'

  protected async work() {
    const rows = await Organization.query().orderBy(['createdAt', 'id'])
    const document = rows.map((row) => ({
      id: row.id,
      name: row.name,
      createdAt: row.createdAt,
      roleBasedAccessEnabled: row.roleBasedAccessEnabled,
      addNewUsersToAllApps: row.addNewUsersToAllApps,
      requireIfMatch: row.requireIfMatch,
    }))
    const lines = document.map(({ id, name }) => `${id}  ${name}`)
    return { document, text: lines.join('\n') || 'There is no organization yet.' }
  }
}
