import { args, flags } from '@adonisjs/core/ace'
import { ConsoleCommand } from '#foundation/console/console_command'
import { Mistake } from '#foundation/console/mistake'
import type { Principal } from '#foundation/core/principal'

/** A command about one webhook endpoint, named by its id. */
export abstract class EndpointCommand extends ConsoleCommand {
  @args.string({ description: 'Id of the endpoint' })
  declare endpoint: string

  @flags.string({ description: 'Id or name of the organization the endpoint must belong to' })
  declare org: string | undefined

  /** The organization of the endpoint. @throws Mistake */
  protected async ofEndpoint(): Promise<Principal> {
    const row: { organization_id: string } | null = await this.database
      .from('webhook_endpoints')
      .where('id', this.endpoint)
      .select('organization_id')
      .first()
    const named = this.org === undefined ? null : await this.standingOf(this.org)
    if (!row || (named && named.organization.id !== row.organization_id)) {
      throw new Mistake('There is no such webhook endpoint.')
    }
    return this.standingOf(row.organization_id)
  }
}
