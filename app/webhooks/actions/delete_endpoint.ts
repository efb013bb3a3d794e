import { inStatements } from '#foundation/core/database/in_batches'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { recordAudit } from '#organizations/audit'

/** Removes an endpoint with its deliveries and their log. @throws not_found */
export class DeleteEndpoint {
  constructor(private readonly scope: Scope) {}

  async handle(id: string): Promise<void> {
    const { scope } = this
    if (!(await scope.lock('webhook_endpoints', id))) throw refuse('not_found')
    await this.#deleteLog(id)
    await scope.table('webhook_endpoints').where('id', id).delete()
    await recordAudit(scope, { action: 'webhookEndpoint.deleted', subject: id })
  }

  /** Deletes by ascending id, as PostgreSQL would otherwise scan deleted entries each time. */
  async #deleteLog(endpointId: string): Promise<void> {
    let last = ''
    const after = (eventId: string) =>
      this.scope
        .table('webhook_deliveries')
        .where('endpoint_id', endpointId)
        .where('event_id', '>', eventId)
    await inStatements(async (limit) => {
      const from = last
      const part: { event_id: string }[] = await after(from)
        .orderBy('event_id')
        .limit(limit)
        .select('event_id')
      last = part.at(-1)?.event_id ?? last
      return Number(await after(from).where('event_id', '<=', last).delete())
    })
  }
}
