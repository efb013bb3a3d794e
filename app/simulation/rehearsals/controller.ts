import { findApp } from '#apps/queries/find_app'
import { created, ok } from '#foundation/api/operation/response'
import type { Call } from '#foundation/api/operation/declaration'
import { startRehearsal, stopRehearsal } from './start_and_stop.js'
import { findRehearsal, rehearsalsOf } from './rehearsals.js'

/** Serves rehearsals of an app. */
export class RehearsalsController {
  async index({ scope, params: { appId } }: Call) {
    await findApp(scope, appId)
    return ok(await rehearsalsOf(scope, appId))
  }

  async show({ scope, params: { appId, rehearsalId } }: Call) {
    return ok(await findRehearsal(scope, appId, rehearsalId))
  }

  async store({ scope, params, body }: Call<{ weeks?: number; scenario?: string }>) {
    const { appId } = params
    await findApp(scope, appId)
    const id = await startRehearsal(scope, appId, body)
    const row = await findRehearsal(scope, appId, id)
    return created(row, `/app/${appId}/rehearsal/${id}`)
  }

  async stop(call: Call) {
    const { scope, params } = call
    await stopRehearsal(scope, params.appId, params.rehearsalId)
    return this.show(call)
  }
}
