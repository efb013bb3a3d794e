import { eventCatalog } from '#foundation/events/catalog'
import { newId } from '#foundation/ids'
import type { Scope } from '#foundation/scope'
import { wakeAfterCommit } from '#webhooks/delivery/wake_signal'
import { PING } from '#webhooks/event_names'
import { getEndpoint } from '#webhooks/queries/get_endpoint'
import type { DeliveryRow } from '#webhooks/rows'

/**
 * Sends one signed message that is no event: a plain `ping`, or the example of an event
 * type marked with `test: true`. Tried once, also on a disabled endpoint, and without an
 * effect on its health.
 */
export class PingEndpoint {
  constructor(private readonly scope: Scope) {}

  async handle(endpointId: string, eventType: string = PING): Promise<DeliveryRow> {
    const { scope } = this
    await scope.lock('webhook_endpoints', endpointId)
    const endpoint = await getEndpoint(scope, endpointId)
    const [id, eventId] = [newId('whd'), newId('evt')]
    await scope.insert('webhook_deliveries', [
      {
        id,
        endpoint_id: endpoint.id,
        event_id: eventId,
        event_type: eventType,
        entity_key: `ping:${eventId}`,
        payload: JSON.stringify(this.#payload(eventId, eventType)),
        status: 'pending',
        failed_attempts: 0,
        attempt_count: 0,
        manual_at: scope.now,
        created_at: scope.now,
      },
    ])
    await scope.table('webhook_endpoints').where('id', endpointId).update({ wake_at: scope.now })
    await wakeAfterCommit(scope.transaction)
    return scope.table('webhook_deliveries').where('id', id).firstOrFail()
  }

  #payload(id: string, eventType: string) {
    const { id: orgId, name } = this.scope.organization
    const declared = eventCatalog.all().find(({ type }) => type === eventType)
    return {
      ...(declared?.example as object | undefined),
      id,
      eventType,
      type: eventType,
      createdAt: this.scope.now,
      org: { id: orgId, name },
      test: true,
    }
  }
}
