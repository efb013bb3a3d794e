import type { AppExtension } from '#apps/extensions'
import { of, select } from '#foundation/core/database/statement'
import { draftKind, followCadenceKind, resumeKind } from '../work_kinds.js'
import { cancelTimers } from './plan_ahead.js'
import { updateFollowers } from '../queries/followers.js'
import { releasePlans } from '../tables.js'

const SELECT_BY_APP = select(
  of(releasePlans, 'p', ['releaseId', 'planned', 'followUps', 'pause']),
  'from release_plans p where p.organization_id = :org and p.app_id = :appId'
)

/** Extends apps by planning. */
export const appExtension: AppExtension = {
  async remove(scope, { id: appId }) {
    for (const plan of await scope.rows(SELECT_BY_APP, { appId })) {
      await cancelTimers(scope, plan)
      if (plan.pause) await scope.jobs.cancel(resumeKind, plan.releaseId)
    }
    await updateFollowers(scope, appId)
    await scope.jobs.cancel(draftKind, appId)
    await scope.jobs.cancel(followCadenceKind, appId)
    await scope.jobs.cancel(resumeKind, appId)
  },
}
