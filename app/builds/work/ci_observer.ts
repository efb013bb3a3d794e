import { DAY } from '#foundation/core/durations'
import { earlier } from '#foundation/core/clock'
import { of, select } from '#foundation/core/database/statement'
import type { IntegrationObserver } from '#integrations/callbacks/observers'
import { appBuildWatches, ciBuilds, releaseBranchWatches } from '../tables.js'
import { discoverKind, discoverWantedKind, followKind } from '../work_kinds.js'

/** Milliseconds. A hint does not hasten the poll of a build that is older than this. */
const MAX_BUILD = 2 * DAY

/** Maximum number of polls of each kind that a hint hastens. The others run on schedule. */
const MAX_POLLS = 100

const UNDER_WAY = select(
  of(ciBuilds, 'b', ['id']),
  `from ci_builds b where b.organization_id = :org and b.installation_id = :integrationId
    and b.created_at > :since and b.status in ('pending', 'running')
  order by b.created_at desc limit ${MAX_POLLS}`
)
const WATCHED = select(
  of(releaseBranchWatches, 'w', ['releaseId']),
  `from release_branch_watches w
  where w.organization_id = :org and w.integration_id = :integrationId limit ${MAX_POLLS}`
)
const APPS = select(
  of(appBuildWatches, 'w', ['appId']),
  `from app_build_watches w
  where w.organization_id = :org and w.integration_id = :integrationId limit ${MAX_POLLS}`
)

/** Polls builds and branches at once when a CI system hints that something has changed. */
export const ciObserver: IntegrationObserver = {
  async hinted(scope, { kind, integrationId }) {
    if (kind !== 'ci') return
    const builds = await scope.rows(UNDER_WAY, {
      integrationId,
      since: earlier(scope.now, MAX_BUILD),
    })
    const branches = await scope.rows(WATCHED, { integrationId })
    await scope.jobs.hasten(
      followKind,
      builds.map(({ id }) => id)
    )
    await scope.jobs.hasten(
      discoverKind,
      branches.map(({ releaseId }) => releaseId)
    )
    const apps = await scope.rows(APPS, { integrationId })
    await scope.jobs.hasten(
      discoverWantedKind,
      apps.map(({ appId }) => appId)
    )
  },
}
