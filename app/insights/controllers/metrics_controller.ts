import { ok } from '#foundation/api/operation/response'
import type { Call } from '#foundation/api/operation/declaration'
import { page } from '#foundation/api/pages'
import { cursors } from '#foundation/api/services'
import { organizationMetrics } from '../queries/organization_metrics.js'
import { overview, overviewApps, overviewKeys } from '../queries/overview.js'
import { whereIs } from '../queries/where_is.js'
import type { WhereIsQuery } from '../validators.js'

export class MetricsController {
  async whereIs({ scope, params, query }: Call<undefined, WhereIsQuery>) {
    return ok(await whereIs(scope, params.appId, query))
  }

  async overview({ scope, query, origin }: Call<undefined, { limit?: number; cursor?: string }>) {
    return page({
      cursors,
      path: `/org/${scope.organization.id}/overview`,
      query: { ...query },
      fetch: (request) => overviewApps(scope, request),
      keys: overviewKeys,
      transform: (rows) => overview(scope, rows, origin.baseUrl),
    })
  }

  async show({ scope, query }: Call<undefined, { from?: string; to?: string; appId?: string[] }>) {
    const { from, to, appId: appIds } = query
    return ok(await organizationMetrics(scope, { from, to, appIds }))
  }
}
