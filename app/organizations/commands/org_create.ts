import { args } from '@adonisjs/core/ace'
import { ConsoleCommand, consoleActor } from '#foundation/console/console_command'
import { CreateOrganization } from '../actions/create_organization.js'
import { organizationOptions } from './options.js'

export class OrgCreate extends ConsoleCommand {
  static override commandName = 'org:create'
  static override description = 'Create an organization with the default groups'

  @args.string({ description: 'Name of the organization' })
  declare name: string

  protected async work() {
    const { name } = await this.checked(organizationOptions, { name: this.name.trim() })
    const organization = await new CreateOrganization(this.database, this.clock).handle({
      name,
      actor: consoleActor,
    })
    return {
      document: { id: organization.id, name: organization.name },
      text: `${organization.name} is organization ${organization.id}.`,
    }
  }
}
