import type { Scope } from '#foundation/core/scope'
import { recordAudit } from '#organizations/audit'
import { foundBy, statusAfter } from '../connections/status_after.js'
import type Connection from '../models/connection.js'
import type { CheckResult } from '../plugins/plugin_caller.js'
import { findConnection } from '../queries/find_connection.js'

/** Stores the result of a connection check. */
export class RecordCheck {
  constructor(private readonly scope: Scope) {}

  /**
   * @param version of the tried credentials; if they were replaced meanwhile, the result is discarded
   * @throws not_found
   */
  async handle(id: string, version: number, check: CheckResult): Promise<Connection> {
    const { scope } = this
    await scope.lock('connections', id)
    const connection = await findConnection(scope, id)
    const current = await scope
      .table('connection_secrets')
      .where({ connection_id: id, version })
      .whereNull('retired_at')
      .select('version')
      .first()
    if (!current) return connection
    const before = connection.status
    connection.status = statusAfter(before, check)
    connection.merge(foundBy(check, scope.now))
    await connection.useTransaction(scope.transaction).save()
    if (connection.status !== before) {
      await recordAudit(scope, {
        action: 'connection.statusChanged',
        subject: id,
        data: { from: before, to: connection.status },
      })
    }
    return connection
  }
}
