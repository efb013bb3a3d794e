import { flags } from '@adonisjs/core/ace'
import { CreateUser } from '../actions/create_user.js'
import { findGroupIds } from '../queries/find_scopes.js'
import { userOptions } from './options.js'
import { OrganizationCommand } from './organization_command.js'

export class UserCreate extends OrganizationCommand {
  static override commandName = 'user:create'
  static override description = 'Add a person to an organization'

  @flags.string({ description: 'E-mail address', required: true })
  declare email: string

  @flags.string({ description: 'Name of the person' })
  declare name: string | undefined

  @flags.array({ flagName: 'group', description: 'Group by name or id; may be repeated' })
  declare groups: string[] | undefined

  protected async work() {
    const { email, name } = await this.checked(userOptions, { email: this.email, name: this.name })
    const document = await this.inTransaction(await this.organizationPrincipal(), async (scope) => {
      const groupIds = await findGroupIds(scope, this.groups ?? [])
      const user = await new CreateUser(scope).handle({ email, name, groupIds })
      return { id: user.id, email: user.email, name: user.name, groupIds }
    })
    return { document, text: `${document.email} is user ${document.id}.` }
  }
}
