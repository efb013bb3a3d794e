import type { AppPart } from '#apps/parts'
import { retention } from './retention/plan_retention.js'
import { removeBuilds } from './actions/delete_build.js'

/** How many builds are removed at a time. */
const BATCH = 500

/** What distribution takes part in of an app. */
export const appPart: AppPart = {
  async remove(scope, { id: appId }) {
    const buckets: { id: string }[] = await scope
      .table('buckets')
      .where('app_id', appId)
      .select('id')
    for (const { id } of buckets) await scope.agenda.cancel(retention, id)
    for (;;) {
      const builds = scope.table('distribution_builds').where('app_id', appId).limit(BATCH)
      const ids = (await builds.select('id')).map((row: { id: string }) => row.id)
      if (ids.length === 0) return
      await removeBuilds(scope, ids)
    }
  },
}
