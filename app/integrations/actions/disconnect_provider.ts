import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { recordAudit } from '#organizations/audit'
import { forgetStarts, retireCredentials } from '../connections/credentials.js'
import { folderCommand } from '../connections/folder_command.js'
import type Connection from '../models/connection.js'
import { findConnection } from '../queries/find_connection.js'

/** Maximum number of apps that a refusal names. */
const MAX_NAMED = 10

/** Ends a connection: removes its credentials, and the connection itself unless apps use it. */
export class DisconnectProvider {
  constructor(private readonly scope: Scope) {}

  /**
   * @param forced the apps whose integrations may be left without credentials, until there are new
   * ones; true for all, false for none
   * @returns whether the connection is gone; one that apps use stays as `disconnected`
   * @throws not_found; connection_in_use if any other app uses it
   */
  async handle(
    name: string,
    forced: boolean | readonly string[]
  ): Promise<{ id: string; removed: boolean }> {
    const { scope } = this
    const connection = await findConnection(scope, name)
    const { id, pluginId, alias } = connection
    await scope.lock('connections', id)
    const appIds = await this.#appsUsing(id)
    const blocking = appIds.filter((each) =>
      Array.isArray(forced) ? !forced.includes(each) : !forced
    )
    if (blocking.length > 0) {
      const named = blocking.slice(0, MAX_NAMED).join(', ')
      const more = blocking.length > MAX_NAMED ? ` and ${blocking.length - MAX_NAMED} more` : ''
      throw refuse('connection_in_use', { detail: `${id} is used by ${named}${more}.` })
    }
    await forgetStarts(scope, id)
    const removed = appIds.length === 0
    if (removed) await connection.useTransaction(scope.transaction).delete()
    else await this.#removeCredentials(connection)
    await scope.jobs.command(folderCommand, { subject: id, payload: {} })
    await recordAudit(scope, {
      action: 'connection.disconnected',
      subject: id,
      data: { plugin: pluginId, alias, removed, appIds },
    })
    return { id, removed }
  }

  async #removeCredentials(connection: Connection): Promise<void> {
    await retireCredentials(this.scope, connection.id)
    connection.merge({ status: 'disconnected', updatedAt: this.scope.now })
    await connection.useTransaction(this.scope.transaction).save()
  }

  async #appsUsing(connectionId: string): Promise<string[]> {
    const rows: { app_id: string }[] = await this.scope
      .table('integrations')
      .where('connection_id', connectionId)
      .distinct('app_id')
      .orderBy('app_id')
    return rows.map((row) => row.app_id)
  }
}
