import { AppStoreBuildEntity } from '#builds/entities'
import { exampleMatchedStoreBuild } from '#builds/examples'
import { list, object } from '#foundation/core/schemas'
import type { PresentationExtension } from '#releases/extensions'
import { AppStoreVersionData } from '../entities.js'
import { exampleStorePlan, exampleVersions } from '../examples.js'
import { storeBuildEntity, storeBuildsOfRelease } from '../queries/store_builds.js'
import { storesOfRelease, versionsOf } from '../queries/store_state.js'
import { versionData } from '../queries/version_data.js'
import { storePlan, StorePlanEntity } from './store_plan_entity.js'

/** The part of stores in the evidence of a release. */
export const evidence: NonNullable<PresentationExtension['evidence']> = {
  schema: {
    stores: object('The release in its stores.', {
      versions: list('The version as reported by each store.', AppStoreVersionData, 100),
      plans: list('Requests to each store, and their results.', StorePlanEntity, 100),
      builds: list('Builds in stores, oldest first.', AppStoreBuildEntity, 100_000),
    }),
  },
  async of(scope, release) {
    const versions = await versionsOf(scope, [release.id])
    const plans = await storesOfRelease(scope, release)
    const builds = await storeBuildsOfRelease(scope, release.id)
    return {
      stores: {
        versions: versions.map(versionData),
        plans: plans.map(storePlan),
        builds: builds.map(storeBuildEntity),
      },
    }
  },
  example: {
    stores: {
      versions: [exampleVersions.inReview],
      plans: [exampleStorePlan],
      builds: [exampleMatchedStoreBuild],
    },
  },
}
