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
  words,
} from '#foundation/core/schemas'

/** A build as a store knows it. */
export const AppStoreBuildEntity = entity('AppStoreBuildEntity', 'A build as a store knows it.', {
  id: id('Id of the build.'),
  buildNumber: nonEmpty('Build number (Apple) or version code (Google).', 64),
  version: nonEmpty('Version the build carries.', 64),
  storeType: words(STORE_KINDS, 'The kind of store it was uploaded to.'),
  uploadedAt: instant('When the store got it, in UTC.'),
  processingState: words(
    ['PROCESSING', 'VALID', 'INVALID', 'FAILED'],
    'What the store made of it, in its own words.'
  ),
  expired: flag('Whether the store offers it to testers no more.'),
  ciBuildId: nullable(id('Id of the CI build it came from; null until they are matched.')),
  selected: flag('Whether it is the one its release ships.'),
})

const CIBuildWorkflowData = entity(
  'CIBuildWorkflowData',
  'The workflow of the CI system that built.',
  {
    workflowId: nonEmpty('Id of the workflow in the CI system.', 200),
    workflowName: nonEmpty('Name of the workflow in the CI system.', 200),
  }
)

export const CIBuildEntity = entity('CIBuildEntity', 'A build of a CI system.', {
  id: id('Id of the build.'),
  buildIdentifier: nonEmpty(
    'Number or id of the build in the CI system; one of our own until that is known.',
    200
  ),
  buildStatus: words(CI_BUILD_STATUSES, 'What the build has come to.'),
  branch: nonEmpty('Branch that was built.', 256),
  commitHash: nonEmpty('Hash of the commit that was built; zeros until CI reports it.', 64),
  commitMessage: nullable(text('Message of the commit; null if CI does not report it.', 10_000)),
  commitAuthor: nullable(text('Author of the commit; null if CI does not report it.', 320)),
  commitUrl: nullable(url('Address of the commit; null if CI does not report it.')),
  url: nullable(url('Address of the build in the CI system; null if unknown.')),
  integrationId: described('The CI system that built.', CIIntegrationId),
  workflowData: described('The workflow that built.', CIBuildWorkflowData),
  startedAt: instant('When the build began, in UTC.'),
  finishedAt: nullable(instant('When the build ended, in UTC; null while it runs.')),
  artifacts: list(
    'Files the build made.',
    object('A file of the build.', {
      fileName: nonEmpty('Name of the file.', 255),
      size: nullable(count('Size in bytes; null if CI does not report it.')),
    }),
    1000
  ),
  appStoreBuild: nullable(
    described('The same build in the store; null until they are matched.', AppStoreBuildEntity)
  ),
  releaseId: nullable(nonEmpty('Id of the release it is for; null for a build of none.', 200)),
})
export type CIBuildEntity = Static<typeof CIBuildEntity>

/** A build of the app's own CI, which sends it here. */
export const CustomCIBuildEntity = entity(
  'CustomCIBuildEntity',
  'A build that a CI system of your own has sent.',
  {
    ...CIBuildEntity.properties,
    integrationInstallationId: id('Id of the `generic-ci` integration it was sent to.'),
    artifactFileName: nonEmpty('Name of the file that was built.', 255),
    fileSize: count('Size of that file in bytes.'),
    additionalFiles: list(
      'Further files.',
      object('A further file of the build.', {
        fileName: nonEmpty('Name of the file, unique among the further ones.', 255),
        size: count('Size in bytes.'),
      }),
      1000
    ),
    downloadUrl: nullable(url('Address of the file; null once it was removed.')),
    createdAt: instant('When it was first sent, in UTC.'),
  }
)
export type CustomCIBuildEntity = Static<typeof CustomCIBuildEntity>

export const TriggeredBuildEntity = entity(
  'TriggeredBuildEntity',
  'A build that the CI system is asked for.',
  {
    id: id('Id of the build; its progress is reported by `ciBuild.statusChanged`.'),
    buildIdentifier: nullable(
      nonEmpty('Number or id of the build in the CI system; null until it is reported.', 200)
    ),
    status: words(['pending'], 'What it has come to: it is asked for.'),
    url: nullable(url('Address of the build in the CI system; null until it is reported.')),
    triggeredAt: instant('When it was asked for, in UTC.'),
    workflowData: described('The workflow that is to run.', CIBuildWorkflowData),
  }
)

/** The data of runs of release candidate and rollback build steps. */
export const ReleaseCandidateStepRunData = entity(
  'ReleaseCandidateStepRunData',
  'What a run of a release candidate or rollback build step holds.',
  {
    activeBuild: nullable(
      described('The build that counts; null while there is none.', CIBuildEntity)
    ),
    lockedBuildId: nullable(
      id('Id of the build a person chose, which stays the active one; null while the newest is.')
    ),
    builds: count('How many builds the run has had so far.'),
  }
)
