import { accepted, created, noContent, ok } from '#foundation/api/operation/response'
import type { Call } from '#foundation/api/operation/declaration'
import { CreateEndpoint } from '#webhooks/actions/create_endpoint'
import { DeleteEndpoint } from '#webhooks/actions/delete_endpoint'
import type { InputErrors, PartiallyValid } from '#foundation/core/problems/input_errors'
import { checkSettings, type EndpointSettings } from '#webhooks/endpoint_settings'
import { PingEndpoint } from '#webhooks/actions/ping_endpoint'
import { RotateSecret } from '#webhooks/actions/rotate_secret'
import { UpdateEndpoint, type EndpointChanges } from '#webhooks/actions/update_endpoint'
import { getEndpoint, listEndpoints } from '#webhooks/queries/get_endpoint'
import { getStatistics } from '#webhooks/queries/get_statistics'
import { outbound, secrets } from '#webhooks/services'
import { deliveryEntity, endpointEntity } from '#webhooks/transformers/webhook_entities'

export class EndpointsController {
  async index({ scope }: Call) {
    const rows = await listEndpoints(scope)
    return ok(rows.map((row) => endpointEntity(row, secrets, scope.now)))
  }

  async show({ scope, params }: Call) {
    const row = await getEndpoint(scope, params.endpointId)
    return ok(endpointEntity(row, secrets, scope.now))
  }

  async store({ scope, params, body }: Call<EndpointSettings & { url: string }>) {
    const { row, secret } = await new CreateEndpoint(scope, outbound.guard, secrets).handle(body)
    const location = `/org/${params.orgId}/webhookEndpoint/${row.id}`
    return created({ ...endpointEntity(row, secrets, scope.now), secret }, location)
  }

  /** Checks settings of new and changed endpoints. */
  checkSettings({ scope, body }: Call<PartiallyValid<EndpointSettings>>, errors: InputErrors) {
    return checkSettings(scope, outbound.guard, body, errors)
  }

  async update({ scope, params, body }: Call<EndpointChanges>) {
    const action = new UpdateEndpoint(scope, outbound.guard, secrets)
    const row = await action.handle(params.endpointId, body)
    return ok(endpointEntity(row, secrets, scope.now))
  }

  async destroy({ scope, params }: Call) {
    await new DeleteEndpoint(scope).handle(params.endpointId)
    return noContent()
  }

  async rotateSecret({ scope, params, body }: Call<{ graceHours?: number }>) {
    return ok(await new RotateSecret(scope, secrets).handle(params.endpointId, body.graceHours))
  }

  async ping({ scope, params, body }: Call<{ eventType?: string }>) {
    const delivery = await new PingEndpoint(scope).handle(params.endpointId, body.eventType)
    const endpoint = await getEndpoint(scope, params.endpointId)
    return accepted(deliveryEntity(delivery, endpoint, null))
  }

  async statistics({ scope, params }: Call) {
    return ok(await getStatistics(scope, await getEndpoint(scope, params.endpointId)))
  }
}
