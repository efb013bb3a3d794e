import { ciBuildsById } from '#builds/queries/ci_builds'
import { refuse, refuseField } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { recordAudit } from '#organizations/audit'
import { releaseStillThere } from '#releases/queries/find_release'
import { storeBuildsById } from '../queries/store_builds.js'
import { storesAndBeta } from '../queries/store_targets.js'
import { appStoreBuilds } from '../tables.js'
import { storeBuildFacts, RecordStoreBuild } from './record_store_build.js'

/** Links a build of a store to a CI build by hand. */
export class LinkBuild {
  constructor(private readonly scope: Scope) {}

  /**
   * Links a build, or with null removes the link and lets it be matched again.
   * @throws not_found, invalid_input for a CI build that the app does not have
   */
  async handle(appId: string, buildId: string, ciBuildId: string | null): Promise<void> {
    const { scope } = this
    const [build] = await storeBuildsById(scope, [buildId])
    if (build?.appId !== appId) throw refuse('not_found')
    if (build.ciBuildId === ciBuildId && (ciBuildId === null || build.matchedBy === 'hand')) return
    if (ciBuildId !== null) {
      const [found] = await ciBuildsById(scope, [ciBuildId])
      if (found?.appId !== appId) {
        throw refuseField('/ciBuildId', 'unknown_build', 'The app has no such CI build.')
      }
    }
    await recordAudit(scope, {
      action: 'appStoreBuild.linked',
      subject: buildId,
      data: { appId, ciBuildId, before: build.ciBuildId },
    })
    const record = new RecordStoreBuild(scope)
    let { releaseId } = build
    if (ciBuildId === null) {
      const none = { ciBuildId: null, matchedBy: null, updatedAt: scope.now }
      await scope.update(appStoreBuilds, { id: buildId }, none)
    } else if (build.ciBuildId === ciBuildId) {
      await scope.update(appStoreBuilds, { id: buildId }, { matchedBy: 'hand' })
    } else {
      releaseId = (await record.link(build, ciBuildId, 'hand')).releaseId
    }
    if (releaseId === null) return
    // The CI build may have given the build its release, and may be the release candidate.
    const release = await releaseStillThere(scope, appId, releaseId)
    const targets = await storesAndBeta(scope, appId)
    const target = targets.find(({ integrationId }) => integrationId === build.integrationId)
    if (release && target) await storeBuildFacts(scope, release, target)
  }
}
