import { Type } from '@sinclair/typebox'
import { CIBuildEntity } from '#builds/entities'
import { ActorEntity, instant, named, nullable, words } from '#foundation/core/schemas'

export const BuildDistroBuildEntity = named(
  'BuildDistroBuildEntity',
  Type.Object({
    id: Type.String(),
    bucketId: Type.String(),
    bucketName: Type.String(),
    appId: Type.String(),
    status: named(
      'BuildDistroBuildStatus',
      words(['pending', 'processing', 'active', 'failed', 'expired'])
    ),
    artifactFileName: Type.String(),
    fileSize: Type.Integer({ minimum: 0 }),
    testerNotes: nullable(Type.String()),
    ciBuild: nullable(CIBuildEntity),
    additionalArtifacts: Type.Array(
      named(
        'BuildDistroAdditionalArtifact',
        Type.Object({
          fileName: Type.String(),
          size: Type.Integer({ minimum: 0 }),
          createdAt: instant(),
        })
      )
    ),
    testers: Type.Array(
      named(
        'BuildDistroBuildTester',
        Type.Object({
          id: Type.String(),
          email: Type.String(),
          installedAt: nullable(instant()),
          device: nullable(Type.String()),
        })
      )
    ),
    version: nullable(Type.String()),
    buildNumber: nullable(Type.String()),
    source: words(['upload', 'rule']),
    createdAt: instant(),
    createdBy: ActorEntity,
    downloadUrl: nullable(Type.String()),
    expiresAt: nullable(instant()),
  })
)
