import { flags } from '@adonisjs/core/ace'
import { CreateKey } from '../actions/create_key.js'
import { findAppIds, findGroupIds } from '../queries/find_scopes.js'
import { expiryOption, keyOptions } from './options.js'
import { OrganizationCommand } from './organization_command.js'

export class KeyCreate extends OrganizationCommand {
  static override commandName = 'key:create'
  static override description = 'Create an API key; the key is shown once'
  static override help = 'An admin key is for all apps: `--admin` with `--app` is refused.'

  @flags.string({ description: 'What the key is for', required: true })
  declare name: string

  @flags.boolean({ description: 'Allow everything in the organization' })
  declare admin: boolean

  @flags.array({ flagName: 'group', description: 'Allow what this group may do; may be repeated' })
  declare groups: string[] | undefined

  @flags.array({ flagName: 'app', description: 'Restrict the key to this app; may be repeated' })
  declare apps: string[] | undefined

  @flags.string({
    description: 'When it expires: a date, a duration such as 90d, or never; a year by default',
  })
  declare expires: string | undefined

  protected async work() {
    const { name } = await this.checked(keyOptions, { name: this.name.trim() })
    const document = await this.inTransaction(await this.organizationPrincipal(), async (scope) =>
      new CreateKey(scope).handle({
        name,
        admin: this.admin,
        groupIds: await findGroupIds(scope, this.groups ?? []),
        appIds: await findAppIds(scope, this.apps ?? []),
        expiresAt: expiryOption(this.expires, scope.now),
      })
    )
    return {
      document,
      text: `Key ${document.id} (${document.name}), shown this once:\n\n  ${document.key}\n`,
    }
  }
}
