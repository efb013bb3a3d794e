import { appSummary } from '#apps/queries/app_summary'
import type { Scope } from '#foundation/core/scope'
import { releasePath } from '#releases/names/public_release_id'
import { releaseById } from '#releases/queries/find_release'
import { shownRelease } from '#releases/timeline/record_release_event'
import { ciBuildEntities } from './queries/ci_build_entities.js'
import { ciBuildsById, type CiBuildRow } from './queries/ci_builds.js'
import type { CIBuildStatus } from './vocabulary.js'

/**
 * Records a change of a build's status in the timeline of its release, or of its app if it has no
 * release.
 * @param from the previous status; null for a new build
 * @param filesMissing why its files are missing, and what to do; null if they are not
 */
export function recordBuildStatus(
  scope: Scope,
  build: CiBuildRow,
  from: CIBuildStatus | null,
  filesMissing: string | null
): void {
  const { id, appId, releaseId, installationId } = build
  // The resource of a build without a release is the list of its integration's builds.
  let resource = `/app/${appId}/integration/${installationId}/build`
  const change = from === null ? build.status : `${from} → ${build.status}`
  const missing = filesMissing === null ? '' : `. ${filesMissing}`
  scope.events.record({
    type: 'ciBuild.statusChanged',
    title: `Build ${build.buildIdentifier} of ${build.workflowName}: ${change}${missing}`,
    entityKey: `ciBuild:${id}`,
    appId,
    releaseId: releaseId ?? undefined,
    data: { ciBuildId: id, from, to: build.status },
    webhook: {
      resource: () => resource,
      async members() {
        const [ciBuild] = await ciBuildEntities(scope, await ciBuildsById(scope, [id]))
        const app = await appSummary(scope, appId)
        if (releaseId === null) return { app, ciBuild, previousStatus: from }
        const release = await releaseById(scope, appId, releaseId)
        resource = releasePath(release)
        const shown = await shownRelease(scope, release)
        return { app, ciBuild, previousStatus: from, release: shown }
      },
    },
  })
}
