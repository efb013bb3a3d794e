import type { Instant } from '#foundation/core/clock'
import { accepted, ok } from '#foundation/api/operation/response'
import type { Call } from '#foundation/api/operation/declaration'
import { page } from '#foundation/api/pages'
import { refuse } from '#foundation/core/problems/problem'
import { cursors } from '#foundation/api/services'
import { Redeliver } from '#webhooks/actions/redeliver'
import { StartRecovery } from '#webhooks/actions/start_recovery'
import { getDelivery, listAttempts, payloadOf, probeOf } from '#webhooks/queries/get_delivery'
import { getEndpoint } from '#webhooks/queries/get_endpoint'
import { listDeliveries, type DeliveryFilters } from '#webhooks/queries/list_deliveries'
import {
  attemptEntity,
  deliveryEntity,
  recoveryEntity,
} from '#webhooks/transformers/webhook_entities'

type DeliveryQuery = { limit?: number; cursor?: string } & DeliveryFilters

export class DeliveriesController {
  async index({ scope, params, query }: Call<undefined, DeliveryQuery>) {
    const endpoint = await getEndpoint(scope, params.endpointId)
    const probe = await probeOf(scope, endpoint)
    return page({
      cursors,
      path: `/org/${params.orgId}/webhookEndpoint/${endpoint.id}/delivery`,
      query: { ...query },
      fetch: (request) => listDeliveries(scope, endpoint, query, request),
      keys: (row) => [row.created_at, row.place, row.id],
      transform: (rows) => rows.map((row) => deliveryEntity(row, endpoint, probe)),
    })
  }

  async show({ scope, params }: Call) {
    const endpoint = await getEndpoint(scope, params.endpointId)
    const delivery = await getDelivery(scope, endpoint.id, params.deliveryId)
    const attempts = await listAttempts(scope, delivery.id)
    const payload = await payloadOf(scope, delivery)
    return ok({
      ...deliveryEntity(delivery, endpoint, await probeOf(scope, endpoint)),
      attempts: attempts.map(attemptEntity),
      payload: payload === null ? null : JSON.parse(payload),
    })
  }

  async redeliver({ scope, params }: Call) {
    const endpoint = await getEndpoint(scope, params.endpointId)
    const delivery = await new Redeliver(scope).handle(endpoint.id, params.deliveryId)
    return accepted(deliveryEntity(delivery, endpoint, await probeOf(scope, endpoint)))
  }

  async recover({ scope, params, body }: Call<{ since: Instant }>) {
    return accepted(
      recoveryEntity(await new StartRecovery(scope).handle(params.endpointId, body.since))
    )
  }

  async recovery({ scope, params }: Call) {
    const row = await scope
      .table('webhook_recoveries')
      .where('endpoint_id', params.endpointId)
      .where('id', params.recoveryId)
      .first()
    if (!row) throw refuse('not_found')
    return ok(recoveryEntity(row))
  }
}
