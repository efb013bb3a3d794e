import app from '@adonisjs/core/services/app'
import { readBody } from '#foundation/api/http/read_body'
import { ok, type OperationResponse } from '#foundation/api/operation/response'
import type { Call, Wire } from '#foundation/api/operation/declaration'
import { MAX_CALLBACK_BYTES, type CallbackAddress } from '../callbacks/callback_url.js'

/** Receives callbacks from providers. */
export class CallbacksController {
  ofIntegration = (call: Call<Wire>) =>
    this.#receive(call, { of: 'integration', id: call.params.integrationInstallationId })

  ofConnection = (call: Call<Wire>) =>
    this.#receive(call, { of: 'connection', id: call.params.connectionId })

  async #receive({ body }: Call<Wire>, address: CallbackAddress): Promise<OperationResponse> {
    const rawBody = await readBody(body.bytes, MAX_CALLBACK_BYTES)
    const callbacks = await app.container.make('integrations.callbacks')
    const result = await callbacks.handle(address, { headers: body.headers, rawBody })
    return result === null ? { status: 202 } : ok(result)
  }
}
