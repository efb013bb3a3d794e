import type { Instant } from '#foundation/core/clock'
import { lastSequence } from '#foundation/core/events/last_sequence'
import { newId } from '#foundation/core/ids'
import { refuse, refuseField } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { wakeAfterCommit } from '#webhooks/delivery/wake_after_commit'
import { getEndpoint } from '#webhooks/queries/get_endpoint'
import type { RecoveryRow } from '#webhooks/rows'
import { webhookRecoveries } from '#webhooks/tables'

/** Events among which the one with the lowest number is looked for. */
const EARLIEST = 1000

/**
 * Starts the durable job that delivers anew what an endpoint has missed since a time: nothing of
 * before the endpoint was made.
 */
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
    if (since > scope.now) {
      throw refuseField('/since', 'in_the_future', 'A recovery begins at a time in the past.')
    }
    const id = newId('whr')
    await scope.insert(webhookRecoveries, [
      {
        id,
        endpointId,
        since,
        status: 'running',
        examinedSequence: Math.max(
          Number(endpoint.start_sequence),
          await this.#sequenceBefore(since)
        ),
        lastSequence: await lastSequence(scope),
        examined: 0,
        recovered: 0,
        createdAt: scope.now,
        finishedAt: null,
      },
    ])
    await wakeAfterCommit(scope.transaction)
    return scope.table('webhook_recoveries').where('id', id).firstOrFail()
  }

  /**
   * The job looks at everything after this number and leaves out what is older than `since`.
   * Numbers are given when a change ends and times when it begins, so the lowest number need
   * not have the earliest time; but it is among the earliest.
   */
  async #sequenceBefore(since: Instant): Promise<number> {
    const earliest: { sequence: number }[] = await this.scope
      .table('events')
      .where('occurred_at', '>=', since)
      .whereNotNull('payload')
      .orderBy('occurred_at')
      .limit(EARLIEST)
      .select('sequence')
    if (earliest.length === 0) return lastSequence(this.scope)
    return Math.min(...earliest.map(({ sequence }) => Number(sequence))) - 1
  }
}
