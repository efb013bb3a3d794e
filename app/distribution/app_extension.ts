import type { AppExtension } from '#apps/extensions'
import { of, select } from '#foundation/core/database/statement'
import { yieldToOthers } from '#foundation/core/yielding'
import { retention } from './retention/plan_retention.js'
import { removeBuilds } from './actions/delete_build.js'
import { distributionBuilds } from './tables.js'

const NEXT_BUILDS = select(
  of(distributionBuilds, 'b', ['id', 'ciBuildId']),
  'from distribution_builds b where b.organization_id = :org and b.app_id = :appId limit :limit'
)

/** Number of builds removed at a time. */
const BATCH = 500

/** Extends apps by distribution. */
export const appExtension: AppExtension = {
  async remove(scope, { id: appId }) {
    const buckets: { id: string }[] = await scope
      .table('buckets')
      .where('app_id', appId)
      .select('id')
    for (const { id } of buckets) await scope.jobs.cancel(retention, id)
    for (;;) {
      const builds = await scope.rows(NEXT_BUILDS, { appId, limit: BATCH })
      if (builds.length === 0) return
      await removeBuilds(scope, builds)
      await yieldToOthers()
    }
  },
}
