import { ok } from '#foundation/operation/answer'
import type { Call } from '#foundation/operation/declaration'
import { organizationMetrics } from '../queries/organization_metrics.js'

export class MetricsController {
  async show({
    scope,
    query,
  }: Call<undefined, { from?: string; to?: string; appId?: string | string[] }>) {
    const appIds = query.appId === undefined ? undefined : [query.appId].flat()
    return ok(await organizationMetrics(scope, { from: query.from, to: query.to, appIds }))
  }
}
