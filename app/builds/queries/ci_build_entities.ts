import type { Scope } from '#foundation/core/scope'
import { publicReleaseId } from '#releases/names/public_release_id'
import { storeBuildsOf } from '../extensions.js'
import type { CIBuildEntity, CustomCIBuildEntity } from '../entities.js'
import { ciFilesOf, type CiBuildRow, type CiFileRow } from './ci_builds.js'

/** Returns builds as the API shows them, in the order given. */
export async function ciBuildEntities(
  scope: Scope,
  builds: readonly CiBuildRow[]
): Promise<CIBuildEntity[]> {
  const ids = builds.map(({ id }) => id)
  const files = await filesByBuild(scope, ids)
  const inStores = await storeBuildsOf(scope, ids)
  return builds.map((build) => entityOf(build, files.get(build.id) ?? [], inStores))
}

const filesByBuild = async (scope: Scope, ids: readonly string[]) =>
  Map.groupBy(await ciFilesOf(scope, ids), ({ buildId }) => buildId)

/** Returns the download path of a build's artifact, below the address of the service. */
const downloadPath = ({ appId, installationId, id }: CiBuildRow) =>
  `/app/${appId}/integration/${installationId}/build/${id}/download`

/**
 * Returns builds of custom CI as the API shows them, in the order given.
 * @param baseUrl the address the requester reaches the service at
 */
export async function customBuildEntities(
  scope: Scope,
  builds: readonly CiBuildRow[],
  baseUrl: string
): Promise<CustomCIBuildEntity[]> {
  const ids = builds.map(({ id }) => id)
  const files = await filesByBuild(scope, ids)
  const inStores = await storeBuildsOf(scope, ids)
  return builds.map((build) => {
    const own = files.get(build.id) ?? []
    const artifact = own.find(({ kind }) => kind === 'artifact')
    return {
      ...entityOf(build, own, inStores),
      integrationInstallationId: build.installationId!,
      artifactFileName: artifact?.fileName ?? '',
      fileSize: artifact?.size ?? 0,
      additionalFiles: own
        .filter(({ kind }) => kind === 'additional')
        .map(({ fileName, size }) => ({ fileName, size: size ?? 0 })),
      downloadUrl: artifact?.fileId ? `${baseUrl}${downloadPath(build)}` : null,
      createdAt: build.createdAt,
    }
  })
}

function entityOf(
  build: CiBuildRow,
  files: readonly CiFileRow[],
  inStores: Awaited<ReturnType<typeof storeBuildsOf>>
): CIBuildEntity {
  const { appId, releaseVersion } = build
  return {
    id: build.id,
    buildIdentifier: build.buildIdentifier,
    buildStatus: build.status,
    branch: build.branch,
    commitHash: build.commitHash,
    commitMessage: build.commitMessage,
    commitAuthor: build.commitAuthor,
    commitUrl: build.commitUrl,
    url: build.url,
    integrationId: build.integrationId,
    workflowData: { workflowId: build.workflowId, workflowName: build.workflowName },
    startedAt: build.startedAt,
    finishedAt: build.finishedAt,
    artifacts: files
      .filter(({ kind }) => kind === 'artifact')
      .map(({ fileName, size }) => ({ fileName, size })),
    appStoreBuild: inStores.get(build.id) ?? null,
    releaseId: releaseVersion === null ? null : publicReleaseId({ appId, version: releaseVersion }),
  }
}
