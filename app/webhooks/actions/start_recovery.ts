import type { Instant } from '#foundation/core/clock'
import { newId } from '#foundation/core/ids'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { wakeAfterCommit } from '#webhooks/delivery/wake_after_commit'
import { getEndpoint } from '#webhooks/queries/get_endpoint'
import { insertRows, type RecoveryRow } from '#webhooks/rows'

/** Starts the durable job that delivers anew what an endpoint has missed since a time. */
export class StartRecovery {
  constructor(private readonly scope: Scope) {}

  async handle(endpointId: string, since: Instant): Promise<RecoveryRow> {
    const { scope } = this
    const endpoint = await getEndpoint(scope, endpointId)
    if (endpoint.status === 'disabled') {
      throw refuse('endpoint_disabled', {
        detail: 'Enable the endpoint before its deliveries are recovered.',
        currentStatus: endpoint.status,
        allowedActions: ['enable', 'redeliver'],
      })
    }
    const id = newId('whr')
    await insertRows(scope, 'webhook_recoveries', [
      {
        id,
        endpoint_id: endpointId,
        since,
        status: 'running',
        examined_sequence: await this.#sequenceBefore(since),
        last_sequence: await this.#lastSequence(),
        examined: 0,
        recovered: 0,
        created_at: scope.now,
      },
    ])
    await wakeAfterCommit(scope.transaction)
    return scope.table('webhook_recoveries').where('id', id).firstOrFail()
  }

  async #sequenceBefore(since: Instant): Promise<number> {
    const row = await this.scope
      .table('events')
      .where('occurred_at', '>=', since)
      .min('sequence as first')
      .first()
    return row.first === null ? await this.#lastSequence() : Number(row.first) - 1
  }

  async #lastSequence(): Promise<number> {
    const { client, organization } = this.scope
    const row = await client
      .from('event_counters')
      .where('organization_id', organization.id)
      .select('last')
      .first()
    return Number(row?.last ?? 0)
  }
}
