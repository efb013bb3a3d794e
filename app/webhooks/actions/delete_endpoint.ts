import { inTurns } from '#foundation/core/database/in_batches'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { recordAudit } from '#organizations/audit'

/** Removes an endpoint with its deliveries and their log. @throws not_found */
export class DeleteEndpoint {
  constructor(private readonly scope: Scope) {}

  async handle(id: string): Promise<void> {
    const { scope } = this
    if (!(await scope.lock('webhook_endpoints', id))) throw refuse('not_found')
    const ofLog = () => scope.table('webhook_deliveries').where('endpoint_id', id)
    await inTurns(async (most) =>
      Number(await ofLog().whereIn('id', ofLog().select('id').limit(most)).delete())
    )
    await scope.table('webhook_endpoints').where('id', id).delete()
    await recordAudit(scope, { action: 'webhookEndpoint.deleted', subject: id })
  }
}
