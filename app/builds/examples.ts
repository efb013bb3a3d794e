import { APP } from '#apps/examples'
import { COMMIT, RELEASE_BRANCH, RELEASE_ID, VERSION } from '#releases/examples'

/** The candidate in the store. */
export const exampleStoreBuild = {
  id: 'build_9aLs5DnG2hEu7XoTi4Cb',
  buildNumber: '4711',
  version: VERSION,
  storeType: 'apple',
  uploadedAt: '2026-11-16T12:05:00.000Z',
  processingState: 'VALID',
  expired: false,
  ciBuildId: null as string | null,
  selected: false,
}

/** The candidate in CI, before the store has it. */
export const exampleCIBuild = {
  id: 'build_6jRm1VtK8pWx3QcYz0Fs',
  buildIdentifier: '1873',
  buildStatus: 'success',
  branch: RELEASE_BRANCH,
  commitHash: COMMIT,
  commitMessage: 'Bump the version to 4.2.0',
  commitAuthor: 'Ada Lovelace',
  commitUrl: `https://git.acme.example/acme/ios/commit/${COMMIT}`,
  url: 'https://ci.acme.example/acme/ios/builds/1873',
  integrationId: 'github-ci',
  workflowData: { workflowId: 'release.yml', workflowName: 'Release candidate' },
  startedAt: '2026-11-16T11:20:00.000Z',
  finishedAt: '2026-11-16T11:42:10.000Z',
  artifacts: [{ fileName: 'Acme.ipa', size: 84_213_760 }],
  appStoreBuild: null as typeof exampleStoreBuild | null,
  releaseId: RELEASE_ID,
}

export const exampleMatchedStoreBuild = { ...exampleStoreBuild, ciBuildId: exampleCIBuild.id }

/** The integration that receives builds of custom CI. */
export const INSTALLATION = 'int_4cWx8QnB1zLr6DyHp2Ks'

export const exampleCustomBuild = {
  ...exampleCIBuild,
  integrationId: 'generic-ci',
  integrationInstallationId: INSTALLATION,
  artifactFileName: exampleCIBuild.artifacts[0].fileName,
  fileSize: exampleCIBuild.artifacts[0].size,
  additionalFiles: [{ fileName: 'Acme.dSYM.zip', size: 31_457_280 }],
  downloadUrl: `https://tarmac.acme.example/app/${APP.id}/integration/${INSTALLATION}/build/${exampleCIBuild.id}/download`,
  createdAt: '2026-11-16T11:42:10.000Z',
}

/** Example data of a build from custom CI. */
export const exampleCustomBuildData = {
  buildIdentifier: exampleCIBuild.buildIdentifier,
  branch: `refs/heads/${exampleCIBuild.branch}`,
  commitHash: exampleCIBuild.commitHash,
  workflowData: exampleCIBuild.workflowData,
}

/** The candidate as it was triggered. */
export const exampleTriggeredBuild = {
  id: exampleCIBuild.id,
  buildIdentifier: null,
  status: 'pending' as const,
  url: null,
  triggeredAt: '2026-11-16T11:19:30.000Z',
  workflowData: { workflowId: 'release.yml', workflowName: 'release.yml' },
}
