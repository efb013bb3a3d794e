import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { wakeAfterCommit } from '#webhooks/delivery/wake_after_commit'
import { getDelivery } from '#webhooks/queries/get_delivery'
import type { DeliveryRow } from '#webhooks/rows'

/**
 * Has a delivery attempted once more, whatever its status, with the same id, a new timestamp and the
 * current keys. It affects neither the schedule nor the endpoint's health.
 */
export class Redeliver {
  constructor(private readonly scope: Scope) {}

  async handle(endpointId: string, deliveryId: string): Promise<DeliveryRow> {
    const { scope } = this
    await scope.lock('webhook_endpoints', endpointId)
    const delivery = await getDelivery(scope, endpointId, deliveryId)
    if (delivery.lease_until !== null && delivery.lease_until > scope.now) {
      throw refuse('conflict', {
        detail: 'The delivery is being attempted right now.',
        currentStatus: delivery.status,
        allowedActions: [],
        retryAfter: 5,
      })
    }
    await scope.table('webhook_deliveries').where('id', deliveryId).update({ manual_at: scope.now })
    await scope.table('webhook_endpoints').where('id', endpointId).update({ wake_at: scope.now })
    await wakeAfterCommit(scope.transaction)
    return getDelivery(scope, endpointId, deliveryId)
  }
}
