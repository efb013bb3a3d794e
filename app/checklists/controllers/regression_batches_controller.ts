import { ok } from '#foundation/api/operation/answer'
import type { Call } from '#foundation/api/operation/declaration'
import { RegressionBatches } from '../actions/regression_batches.js'

/** Batches of regression items. */
export class RegressionBatchesController {
  async create({ scope, params, body }: Call<{ items: object[] }>) {
    return ok(await new RegressionBatches(scope, params.appId).create(body.items))
  }

  async update({ scope, params, body }: Call<{ releaseId: string; items: { id: string }[] }>) {
    const batches = new RegressionBatches(scope, params.appId)
    return ok(await batches.setStatuses(body.releaseId, body.items))
  }

  async delete({ scope, params, body }: Call<{ ids: string[] }>) {
    return ok(await new RegressionBatches(scope, params.appId).delete(body.ids))
  }
}
