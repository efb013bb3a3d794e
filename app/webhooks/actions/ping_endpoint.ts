import { later } from '#foundation/core/clock'
import { eventCatalog } from '#foundation/core/events/catalog'
import { exampleOfEvent } from '#foundation/api/openapi/example_of'
import { newId } from '#foundation/core/ids'
import type { NewRow, Scope } from '#foundation/core/scope'
import { LEASE_MARGIN } from '#webhooks/delivery/claim_deliveries'
import { wakeEndpoints } from '#webhooks/delivery/relay'
import { wakeAfterCommit } from '#webhooks/delivery/wake_after_commit'
import { PING } from '#webhooks/event_names'
import { getEndpoint } from '#webhooks/queries/get_endpoint'
import type { DeliveryRow } from '#webhooks/rows'
import { webhookDeliveries } from '#webhooks/tables'

/** The longest timeout that an endpoint can have, in milliseconds. */
const MAX_ATTEMPT = 30_000

/**
 * Sends one signed test message: a plain `ping`, or the example of an event type. Both are marked
 * with `test: true`. It is attempted once, even if the endpoint is disabled, and does not affect the
 * endpoint's health.
 */
export class PingEndpoint {
  constructor(private readonly scope: Scope) {}

  /** Leaves the attempt to the workers. */
  async handle(endpointId: string, eventType: string = PING): Promise<DeliveryRow> {
    const { scope } = this
    const delivery = await this.#store(endpointId, eventType, {})
    await scope.table('webhook_endpoints').where('id', endpointId).update({ wake_at: scope.now })
    await wakeAfterCommit(scope.transaction)
    return delivery
  }

  /** Claims the delivery for the caller; workers attempt it if the caller has not by the lease's end. */
  async claimed(endpointId: string, eventType: string = PING) {
    const claimId = newId('clm')
    const leaseEnd = later(this.scope.now, MAX_ATTEMPT + LEASE_MARGIN)
    const delivery = await this.#store(endpointId, eventType, {
      claimId,
      claimedAt: this.scope.now,
      leaseUntil: leaseEnd,
    })
    await wakeEndpoints(this.scope.transaction, [endpointId], leaseEnd)
    return { delivery, claimId }
  }

  async #store(
    endpointId: string,
    eventType: string,
    claim: Partial<NewRow<typeof webhookDeliveries>>
  ): Promise<DeliveryRow> {
    const { scope } = this
    await scope.lock('webhook_endpoints', endpointId)
    const endpoint = await getEndpoint(scope, endpointId)
    const [id, eventId] = [newId('whd'), newId('evt')]
    await scope.insert(webhookDeliveries, [
      {
        id,
        endpointId: endpoint.id,
        eventId,
        eventType,
        entityKey: `ping:${eventId}`,
        appId: null,
        sequence: null,
        place: 0,
        payload: JSON.stringify(this.#payload(eventId, eventType)),
        status: 'pending',
        failedAttempts: 0,
        attemptCount: 0,
        nextAttemptAt: null,
        firstFailedAt: null,
        manualAt: scope.now,
        claimId: null,
        claimedBy: null,
        claimedAt: null,
        leaseUntil: null,
        waitsUntil: null,
        lastStatusCode: null,
        lastErrorClass: null,
        lastAttemptAt: null,
        createdAt: scope.now,
        finishedAt: null,
        ...claim,
      },
    ])
    return scope.table('webhook_deliveries').where('id', id).firstOrFail()
  }

  #payload(id: string, eventType: string) {
    const { id: orgId, name } = this.scope.organization
    const declared = eventCatalog.all().find(({ type }) => type === eventType)
    return {
      ...(declared && exampleOfEvent(declared)),
      id,
      eventType,
      type: eventType,
      createdAt: this.scope.now,
      org: { id: orgId, name },
      test: true,
    }
  }
}
