import { appSummary } from '#apps/queries/app_summary'
import type { Scope } from '#foundation/core/scope'
import type { BuildDistroBuildEntity } from './entities.js'
import type Bucket from './models/bucket.js'

const TITLES = {
  'buildDistro.newBuildAvailable': (build: BuildDistroBuildEntity, bucket: string) =>
    `${build.artifactFileName} is in ${bucket}`,
  'buildDistro.buildArtifactAvailable': (build: BuildDistroBuildEntity) =>
    `${build.artifactFileName} can be downloaded`,
}

/** Records that a build is visible in its bucket, or that its artifact can be downloaded. */
export function recordAvailability(
  scope: Scope,
  type: keyof typeof TITLES,
  { id, appId, name, type: bucketType, status }: Bucket,
  build: BuildDistroBuildEntity
): void {
  scope.events.record({
    type,
    title: TITLES[type](build, name),
    entityKey: `build:${build.id}`,
    appId,
    webhook: {
      resource: () => `/app/${appId}/bucket/${id}/build/${build.id}`,
      members: async () => ({
        app: await appSummary(scope, appId),
        bucket: { id, name, type: bucketType, status },
        build,
      }),
    },
  })
}
