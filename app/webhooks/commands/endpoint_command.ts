import { args, flags } from '@adonisjs/core/ace'
import { UsageError } from '#foundation/console/usage_error'
import type { Principal } from '#foundation/core/principal'
import { TenantCommand } from '#organizations/commands/tenant_command'

/** A command about one webhook endpoint, named by its id. */
export abstract class EndpointCommand extends TenantCommand {
  @args.string({ description: 'Id of the endpoint' })
  declare endpoint: string

  @flags.string({ description: 'Id or name of the organization the endpoint must belong to' })
  declare org: string | undefined

  /** Returns the console's principal in the organization of the endpoint. @throws UsageError */
  protected async ofEndpoint(): Promise<Principal> {
    const principal = await this.principalOwning('webhook_endpoints', this.endpoint, this.org)
    if (!principal) throw new UsageError('There is no such webhook endpoint.')
    return principal
  }
}
