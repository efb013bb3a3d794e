import type { Static } from '@sinclair/typebox'
import { STORE_KINDS } from '#apps/vocabulary'
import { CI_BUILD_STATUSES } from './vocabulary.js'
import { CIIntegrationId } from '#integrations/entities'
import {
  count,
  described,
  entity,
  flag,
  id,
  instant,
  list,
  nonEmpty,
  nullable,
  object,
  text,
  url,
  enumOf,
} from '#foundation/core/schemas'

/** A build as a store knows it. */
export const AppStoreBuildEntity = entity('AppStoreBuildEntity', 'A build in a store.', {
  id: id('Id of the build.'),
  buildNumber: nonEmpty('Build number (Apple) or version code (Google).', 64),
  version: nonEmpty('Version of the build.', 64),
  storeType: enumOf(STORE_KINDS, 'Store that it was uploaded to.'),
  uploadedAt: instant('When the store received it, in UTC.'),
  processingState: enumOf(
    ['PROCESSING', 'VALID', 'INVALID', 'FAILED'],
    'Processing state as reported by the store.'
  ),
  expired: flag('Whether testers can no longer install it.'),
  ciBuildId: nullable(id('Id of the CI build it came from; null until it is matched.')),
  selected: flag('Whether its release ships this build.'),
})

const CIBuildWorkflowData = entity('CIBuildWorkflowData', 'The CI workflow of a build.', {
  workflowId: nonEmpty('Id of the workflow in the CI system.', 200),
  workflowName: nonEmpty('Name of the workflow in the CI system.', 200),
})

export const CIBuildEntity = entity('CIBuildEntity', 'A build of a CI system.', {
  id: id('Id of the build.'),
  buildIdentifier: nonEmpty(
    'Number or id of the build in the CI system; a placeholder until it is known.',
    200
  ),
  buildStatus: enumOf(CI_BUILD_STATUSES, 'Status of the build.'),
  branch: nonEmpty('Branch that was built.', 256),
  commitHash: nonEmpty('Hash of the commit that was built; zeros until CI reports it.', 64),
  commitMessage: nullable(text('Message of the commit; null if CI does not report it.', 10_000)),
  commitAuthor: nullable(text('Author of the commit; null if CI does not report it.', 320)),
  commitUrl: nullable(url('URL of the commit; null if CI does not report it.')),
  url: nullable(url('URL of the build in the CI system; null if unknown.')),
  integrationId: described('CI system that ran the build.', CIIntegrationId),
  workflowData: described('Workflow that ran the build.', CIBuildWorkflowData),
  startedAt: instant('When the build began, in UTC.'),
  finishedAt: nullable(instant('When the build ended, in UTC; null while it runs.')),
  artifacts: list(
    'Files produced by the build.',
    object('A file of the build.', {
      fileName: nonEmpty('Name of the file.', 255),
      size: nullable(count('Size in bytes; null if CI does not report it.')),
    }),
    1000
  ),
  appStoreBuild: nullable(
    described('The same build in the store; null until it is matched.', AppStoreBuildEntity)
  ),
  releaseId: nullable(nonEmpty('Id of its release; null if it has none.', 200)),
})
export type CIBuildEntity = Static<typeof CIBuildEntity>

/** A build of the app's own CI, which sends it here. */
export const CustomCIBuildEntity = entity(
  'CustomCIBuildEntity',
  'A build uploaded by your own CI system.',
  {
    ...CIBuildEntity.properties,
    integrationInstallationId: id('Id of the `generic-ci` integration it was uploaded to.'),
    artifactFileName: nonEmpty('Name of the artifact.', 255),
    fileSize: count('Size of the artifact in bytes.'),
    additionalFiles: list(
      'Files attached to the build.',
      object('An additional file of the build.', {
        fileName: nonEmpty('Name of the file, unique among them.', 255),
        size: count('Size in bytes.'),
      }),
      1000
    ),
    downloadUrl: nullable(url('URL of the artifact; null once it is removed.')),
    createdAt: instant('When it was first uploaded, in UTC.'),
  }
)
export type CustomCIBuildEntity = Static<typeof CustomCIBuildEntity>

export const TriggeredBuildEntity = entity(
  'TriggeredBuildEntity',
  'A build requested from the CI system.',
  {
    id: id('Id of the build; its progress is reported by `ciBuild.statusChanged`.'),
    buildIdentifier: nullable(
      nonEmpty('Number or id of the build in the CI system; null until it is reported.', 200)
    ),
    status: enumOf(['pending'], 'Status of the build; always `pending`.'),
    url: nullable(url('URL of the build in the CI system; null until it is reported.')),
    triggeredAt: instant('When it was requested, in UTC.'),
    workflowData: described('Workflow to run.', CIBuildWorkflowData),
  }
)

/** The data of runs of release candidate and rollback build steps. */
export const ReleaseCandidateStepRunData = entity(
  'ReleaseCandidateStepRunData',
  'Data of a run of a release candidate or rollback build step.',
  {
    activeBuild: nullable(described('The active build; null while there is none.', CIBuildEntity)),
    lockedBuildId: nullable(
      id('Id of the build that a user locked as the active one; null while the newest is active.')
    ),
    builds: count('Number of builds of the run so far.'),
  }
)
