import app from '@adonisjs/core/services/app'
import { readBody } from '#foundation/api/http/read_body'
import type { Answer } from '#foundation/api/operation/answer'
import type { Call, Wire } from '#foundation/api/operation/declaration'
import { MAX_CALLBACK_BYTES } from '../callbacks/callback_url.js'

/** Serves callbacks of providers. */
export class CallbacksController {
  async take({ params, body: { headers, bytes } }: Call<Wire>): Promise<Answer> {
    const rawBody = await readBody(bytes, MAX_CALLBACK_BYTES)
    const callbacks = await app.container.make('integrations.callbacks')
    await callbacks.handle(params.integrationInstallationId, { headers, rawBody })
    return { status: 202 }
  }
}
