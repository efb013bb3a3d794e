import { appSummary } from '#apps/queries/app_summary'
import { ciBuildEntities } from '#builds/queries/ci_build_entities'
import { ciBuildsById } from '#builds/queries/ci_builds'
import type { Scope } from '#foundation/core/scope'
import { releasePath } from '#releases/names/public_release_id'
import { releaseById } from '#releases/queries/find_release'
import { shownRelease } from '#releases/timeline/record_release_event'
import { storeBuildEntity, storeBuildsById, type StoreBuildRow } from '../queries/store_builds.js'

type BuildEvent = 'appStoreBuild.newBuildAvailable' | 'betaBuild.newBuildAvailable'

/** Records that a build appeared in its store, or in beta testing. */
export function recordNewBuild(scope: Scope, type: BuildEvent, build: StoreBuildRow): void {
  const location = type === 'betaBuild.newBuildAvailable' ? 'beta testing' : 'the store'
  record(scope, type, build, `Build ${build.buildNumber} of ${build.version} is in ${location}`)
}

/** Records that a store build was linked to its CI build. */
export function recordAssociated(scope: Scope, build: StoreBuildRow): void {
  record(
    scope,
    'ciBuild.appStoreBuildAssociated',
    build,
    `Build ${build.buildNumber} of ${build.version} in the store was linked to its CI build`,
    async () => ({
      ciBuild: (await ciBuildEntities(scope, await ciBuildsById(scope, [build.ciBuildId!])))[0],
    })
  )
}

function record(
  scope: Scope,
  type: BuildEvent | 'ciBuild.appStoreBuildAssociated',
  { id, appId, releaseId, buildNumber, ciBuildId, matchedBy }: StoreBuildRow,
  title: string,
  otherMembers: () => Promise<object> = async () => ({})
): void {
  let resource = `/app/${appId}`
  scope.events.record({
    type,
    title,
    entityKey: `appStoreBuild:${id}`,
    appId,
    releaseId: releaseId ?? undefined,
    data: { appStoreBuildId: id, buildNumber, ciBuildId, ...(ciBuildId && { matchedBy }) },
    webhook: {
      resource: () => resource,
      async members() {
        const [row] = await storeBuildsById(scope, [id])
        const app = await appSummary(scope, appId)
        const shown = { app, ...(await otherMembers()), appStoreBuild: storeBuildEntity(row) }
        if (releaseId === null) return shown
        const release = await releaseById(scope, appId, releaseId)
        resource = releasePath(release)
        return { ...shown, release: await shownRelease(scope, release) }
      },
    },
  })
}
