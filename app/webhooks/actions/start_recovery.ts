import type { Instant } from '#foundation/core/clock'
import { lastSequence } from '#foundation/core/events/last_sequence'
import { newId } from '#foundation/core/ids'
import { refuse, refuseField } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { wakeAfterCommit } from '#webhooks/delivery/wake_after_commit'
import { getEndpoint } from '#webhooks/queries/get_endpoint'
import type { RecoveryRow } from '#webhooks/rows'
import { webhookRecoveries } from '#webhooks/tables'

/** The number of earliest events that are searched for the lowest sequence. */
const EARLIEST = 1000

/**
 * Starts a durable job that delivers again what an endpoint has missed since a time, but no events
 * from before the endpoint was created.
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
   * Returns a sequence before all events since a time; the job skips later ones that are older. A
   * transaction assigns sequences at its end but times at its start, so the event with the lowest
   * sequence need not be the earliest, but it is among the earliest.
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
