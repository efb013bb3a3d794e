import { Type, type Static } from '@sinclair/typebox'
import { CIBuildEntity } from '#builds/entities'
import { ActorEntity, instant, named, nullable, words } from '#foundation/core/schemas'
import {
  BUCKET_RULE_TYPES,
  BUCKET_STATUSES,
  BUCKET_TYPES,
  BUILD_SOURCES,
  BUILD_STATUSES,
  PERMISSION_LEVELS,
} from './vocabulary.js'

export const BuildDistroBuildEntity = named(
  'BuildDistroBuildEntity',
  Type.Object({
    id: Type.String(),
    bucketId: Type.String(),
    bucketName: Type.String(),
    appId: Type.String(),
    status: words(BUILD_STATUSES),
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
    source: words(BUILD_SOURCES),
    createdAt: instant(),
    createdBy: ActorEntity,
    downloadUrl: nullable(Type.String()),
    expiresAt: nullable(instant()),
  })
)
export type BuildDistroBuildEntity = Static<typeof BuildDistroBuildEntity>

export const BucketMember = named(
  'BucketMember',
  Type.Object({
    id: Type.String({ description: 'Id of the group or user.' }),
    type: words(['user', 'group']),
    name: Type.String({ description: 'Name of the group, e-mail address of the user.' }),
    permissionLevel: words(PERMISSION_LEVELS, {
      description: 'An admin may do more than an uploader, who may do more than a tester.',
    }),
  })
)

export const BucketRule = named(
  'BucketRule',
  Type.Object({
    id: Type.String({ description: 'Id of the rule.' }),
    type: words(BUCKET_RULE_TYPES, {
      description: '`Branch` takes builds of a branch, `PR` those of pull requests onto one.',
    }),
    branch: nullable(Type.String({ description: 'Branch pattern of a `Branch` rule.' })),
    baseBranch: nullable(Type.String({ description: 'Base branch pattern of a `PR` rule.' })),
    workflow: nullable(Type.String({ description: 'CI workflow; null takes any.' })),
    fileFilterPatterns: Type.Array(Type.String(), {
      description: 'Patterns of file names; empty takes `*.ipa` or `*.apk`, by platform.',
    }),
  })
)

export const BuildDistroAutomation = named(
  'BuildDistroAutomation',
  Type.Object({
    type: words(['notifyOnNewBuild', 'autoAddTesters', 'expireOldBuilds']),
    enabled: Type.Boolean({ description: 'Whether it runs.' }),
    config: Type.Record(Type.String(), Type.Unknown(), { description: 'Its settings.' }),
  })
)

export const BuildDistroBucketEntity = named(
  'BuildDistroBucketEntity',
  Type.Object({
    id: Type.String({ description: 'Id of the bucket.' }),
    appId: Type.String({ description: 'Id of the app.' }),
    name: Type.String({ description: 'Name, unique in the app.' }),
    type: words(BUCKET_TYPES, { description: 'An app has one `rc` and one `dev` bucket.' }),
    status: words(BUCKET_STATUSES, { description: 'An archived bucket takes no builds.' }),
    orgWideAccessEnabled: Type.Boolean({
      description: 'Whether everybody of the organization sees and installs its builds.',
    }),
    notificationsEnabled: Type.Boolean({ description: 'Whether testers are told of builds.' }),
    publicLinkEnabled: Type.Boolean({ description: 'Whether builds may have public links.' }),
    members: Type.Array(BucketMember, { description: 'Groups and people, by their level.' }),
    rules: Type.Array(BucketRule, { description: 'Which builds come in by themselves.' }),
    automations: Type.Array(BuildDistroAutomation, { description: 'What runs for its builds.' }),
    buildCount: Type.Integer({ minimum: 0, description: 'How many builds it holds.' }),
    latestBuild: nullable(
      Type.Object(
        {
          id: Type.String({ description: 'Id of the build.' }),
          artifactFileName: Type.String({ description: 'File name of its artifact.' }),
          version: nullable(Type.String({ description: 'Version; null where it is not known.' })),
          createdAt: instant({ description: 'When it came in.' }),
        },
        { description: 'The build that came in last; null while it holds none.' }
      )
    ),
    createdAt: instant({ description: 'When the bucket was made.' }),
    updatedAt: instant({ description: 'When it was last changed.' }),
  })
)
export type BuildDistroBucketEntity = Static<typeof BuildDistroBucketEntity>
