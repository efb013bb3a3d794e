import { flags } from '@adonisjs/core/ace'
import { UsageError } from '#foundation/console/usage_error'
import { UpdateOrganization, type UpdateOrganizationInput } from '../actions/update_organization.js'
import { organizationOptions } from './options.js'
import { OrganizationCommand } from './organization_command.js'

export class OrgUpdate extends OrganizationCommand {
  static override commandName = 'org:update'
  static override description = 'Change the settings of an organization (--no-… turns one off)'

  @flags.string({ description: 'New name' })
  declare name: string | undefined

  @flags.boolean({ description: 'Require If-Match on every write', showNegatedVariantInHelp: true })
  declare requireIfMatch: boolean | undefined

  @flags.boolean({ description: 'Use role-based access', showNegatedVariantInHelp: true })
  declare roleBasedAccess: boolean | undefined

  @flags.boolean({ description: 'Add new users to all apps', showNegatedVariantInHelp: true })
  declare addNewUsersToAllApps: boolean | undefined

  protected async work() {
    const input = await this.#input()
    const row = await this.inTransaction(await this.organizationPrincipal(), (scope) =>
      new UpdateOrganization(scope).handle(input)
    )
    const { id, name, roleBasedAccessEnabled, addNewUsersToAllApps, requireIfMatch } = row
    return {
      document: { id, name, roleBasedAccessEnabled, addNewUsersToAllApps, requireIfMatch },
      text: `${name} (${id}) is up to date.`,
    }
  }

  async #input(): Promise<UpdateOrganizationInput> {
    const input: UpdateOrganizationInput = {}
    if (this.name !== undefined) {
      input.name = (await this.checked(organizationOptions, { name: this.name.trim() })).name
    }
    if (this.requireIfMatch !== undefined) input.requireIfMatch = this.requireIfMatch
    if (this.roleBasedAccess !== undefined) input.roleBasedAccessEnabled = this.roleBasedAccess
    if (this.addNewUsersToAllApps !== undefined) {
      input.addNewUsersToAllApps = this.addNewUsersToAllApps
    }
    if (Object.keys(input).length === 0) throw new UsageError('Say what to change; see --help.')
    return input
  }
}
