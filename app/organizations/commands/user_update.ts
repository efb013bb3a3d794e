import { flags } from '@adonisjs/core/ace'
import { UpdateUser } from '../actions/update_user.js'
import { findGroupIds } from '../queries/find_scopes.js'
import { findUserByEmail } from '../queries/user_entities.js'
import { userOptions } from './options.js'
import { OrganizationCommand } from './organization_command.js'

export class UserUpdate extends OrganizationCommand {
  static override commandName = 'user:update'
  static override description = 'Change the name and the groups of a person'

  @flags.string({ description: 'E-mail address', required: true })
  declare email: string

  @flags.string({ description: 'New name of the person' })
  declare name: string | undefined

  @flags.array({ description: 'Group to join, by name or id; may be repeated' })
  declare addGroup: string[] | undefined

  @flags.array({ description: 'Group to leave, by name or id; may be repeated' })
  declare removeGroup: string[] | undefined

  protected async work() {
    const { email, name } = await this.checked(userOptions, { email: this.email, name: this.name })
    const document = await this.inTransaction(await this.organizationPrincipal(), async (scope) => {
      const user = await findUserByEmail(scope, email)
      const groupIds = await new UpdateUser(scope).handle(user, {
        name,
        addGroupIds: await findGroupIds(scope, this.addGroup ?? []),
        removeGroupIds: await findGroupIds(scope, this.removeGroup ?? []),
      })
      return { id: user.id, email: user.email, name: user.name, groupIds }
    })
    return { document, text: `${document.email} is up to date.` }
  }
}
