import { Type, type Static } from '@sinclair/typebox'
import { STORE_KINDS } from '#apps/vocabulary'
import { CI_BUILD_STATUSES } from './vocabulary.js'
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
    buildStatus: words(CI_BUILD_STATUSES),
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
export type CIBuildEntity = Static<typeof CIBuildEntity>
