import { Type } from '@sinclair/typebox'
import { STORE_KINDS } from '#apps/vocabulary'
import { CI_INTEGRATION_IDS } from '#integrations/vocabulary'
import { instant, named, nullable, words } from '#foundation/core/schemas'

/** A build as a store knows it. */
export const AppStoreBuildEntity = named(
  'AppStoreBuildEntity',
  Type.Object({
    id: Type.String(),
    buildNumber: Type.String(),
    version: Type.String(),
    storeType: words(STORE_KINDS),
    uploadedAt: instant(),
    processingState: words(['PROCESSING', 'VALID', 'INVALID', 'FAILED']),
    expired: Type.Boolean(),
    ciBuildId: nullable(Type.String()),
    selected: Type.Boolean(),
  })
)

export const CIBuildWorkflowData = named(
  'CIBuildWorkflowData',
  Type.Object({ workflowId: Type.String(), workflowName: Type.String() })
)

export const CIBuildEntity = named(
  'CIBuildEntity',
  Type.Object({
    id: Type.String(),
    buildIdentifier: Type.String(),
    buildStatus: named(
      'CIBuildStatus',
      words(['pending', 'running', 'success', 'failed', 'canceled', 'skipped'])
    ),
    branch: Type.String(),
    commitHash: Type.String(),
    commitMessage: nullable(Type.String()),
    commitAuthor: nullable(Type.String()),
    commitUrl: nullable(Type.String()),
    url: nullable(Type.String()),
    integrationId: words(CI_INTEGRATION_IDS),
    workflowData: CIBuildWorkflowData,
    startedAt: instant(),
    finishedAt: nullable(instant()),
    artifacts: Type.Array(
      Type.Object({ fileName: Type.String(), size: nullable(Type.Integer({ minimum: 0 })) })
    ),
    appStoreBuild: nullable(AppStoreBuildEntity),
    releaseId: nullable(Type.String()),
  })
)

/** Of runs of release candidate and rollback build steps. */
export const ReleaseCandidateStepRunData = named(
  'ReleaseCandidateStepRunData',
  Type.Object({
    activeBuild: nullable(CIBuildEntity, {
      description: 'The build that counts; null while there is none.',
    }),
    lockedBuildId: nullable(
      Type.String({
        description:
          'Id of the build a person chose, which stays the active one; null while the newest is.',
      })
    ),
    builds: Type.Integer({ minimum: 0, description: 'How many builds the run has had so far.' }),
  })
)
