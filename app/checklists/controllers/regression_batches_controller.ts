import { ok } from '#foundation/api/operation/response'
import type { Call } from '#foundation/api/operation/declaration'
import { RegressionBatches } from '../actions/regression_batches.js'

/** Serves the requests that create, change or delete regression items in batches. */
export class RegressionBatchesController {
  async create({ scope, params, body }: Call<{ items: object[] }>) {
    const created = await new RegressionBatches(scope, params.appId).create(body.items)
    return async () => ok(created)
  }

  async update({ scope, params, body }: Call<{ releaseId: string; items: { id: string }[] }>) {
    const batches = new RegressionBatches(scope, params.appId)
    const updated = await batches.setStatuses(body.releaseId, body.items)
    return async () => ok(updated)
  }

  async delete({ scope, params, body }: Call<{ ids: string[] }>) {
    const deleted = await new RegressionBatches(scope, params.appId).delete(body.ids)
    return async () => ok(deleted)
  }
}
