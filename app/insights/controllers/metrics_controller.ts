import { ok } from '#foundation/api/operation/answer'
import type { Call } from '#foundation/api/operation/declaration'
import { organizationMetrics } from '../queries/organization_metrics.js'
import { whereIs } from '../queries/where_is.js'
import type { WhereIsQuery } from '../validators.js'

export class MetricsController {
  async whereIs({ scope, params, query }: Call<undefined, WhereIsQuery>) {
    return ok(await whereIs(scope, params.appId, query))
  }

  async show({ scope, query }: Call<undefined, { from?: string; to?: string; appId?: string[] }>) {
    const { from, to, appId: appIds } = query
    return ok(await organizationMetrics(scope, { from, to, appIds }))
  }
}
