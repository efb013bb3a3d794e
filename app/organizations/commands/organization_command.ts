import { flags } from '@adonisjs/core/ace'
import type { Principal } from '#foundation/core/principal'
import { TenantCommand } from './tenant_command.js'

/** A command for one organization, given by `--org`. */
export abstract class OrganizationCommand extends TenantCommand {
  @flags.string({ description: 'Id or name of the organization', required: true })
  declare org: string

  /**
   * Returns the console principal of the organization of `--org`.
   * @throws UsageError when there is none, or several
   */
  protected organizationPrincipal(): Promise<Principal> {
    return this.principalOf(this.org)
  }
}
