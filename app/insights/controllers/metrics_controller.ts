import { ok } from '#foundation/api/operation/answer'
import type { Call } from '#foundation/api/operation/declaration'
import { organizationMetrics } from '../queries/organization_metrics.js'

export class MetricsController {
  async show({ scope, query }: Call<undefined, { from?: string; to?: string; appId?: string[] }>) {
    const { from, to, appId: appIds } = query
    return ok(await organizationMetrics(scope, { from, to, appIds }))
  }
}
