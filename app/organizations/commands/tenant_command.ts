import { from } from '#foundation/core/database/from'
import { ConsoleCommand, consolePrincipal } from '#foundation/console/console_command'
import { UsageError } from '#foundation/console/usage_error'
import type { TableName } from '#foundation/core/database/table'
import type { Principal } from '#foundation/core/principal'
import { findTenants } from '../queries/find_tenants.js'

/** The base of commands that work on the rows of one organization. */
export abstract class TenantCommand extends ConsoleCommand {
  /**
   * Returns the console principal of an organization, given by its id or by a unique name.
   * @throws UsageError
   */
  protected async principalOf(organization: string): Promise<Principal> {
    const found = await findTenants(organization)
    if (found.length === 1) return consolePrincipal(found[0])
    if (found.length === 0) throw new UsageError(`There is no organization "${organization}".`)
    const ids = found.map(({ id }) => id).join(', ')
    throw new UsageError(`Several organizations are named "${organization}"; give an id: ${ids}.`)
  }

  /**
   * Returns the console principal of the organization that owns a row. Ids are unique in the
   * service.
   * @param organization the organization the row must belong to, if the command names one
   * @returns null when there is no such row
   * @throws UsageError when there is no such organization
   */
  protected async principalOwning(
    table: TableName,
    id: string,
    organization?: string
  ): Promise<Principal | null> {
    const row: { organization_id: string } | null = await from(this.database, table)
      .where('id', id)
      .select('organization_id')
      .first()
    const named = organization === undefined ? null : await this.principalOf(organization)
    if (!row || (named && named.organization.id !== row.organization_id)) return null
    return this.principalOf(row.organization_id)
  }
}
