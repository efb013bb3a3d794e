import { Type, type Static } from '@sinclair/typebox'
import { CIBuildEntity } from '#builds/entities'
import {
  ActorEntity,
  count,
  email,
  entity,
  flag,
  here,
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
import {
  BUCKET_RULE_TYPES,
  BUCKET_STATUSES,
  BUCKET_TYPES,
  BUILD_SOURCES,
  BUILD_STATUSES,
  PERMISSION_LEVELS,
} from './vocabulary.js'

const BuildDistroAdditionalArtifact = entity(
  'BuildDistroAdditionalArtifact',
  'A further file of a distribution build.',
  {
    fileName: nonEmpty('Name of the file, unique in the build.', 255),
    size: count('Size in bytes.'),
    createdAt: instant('When it was attached, in UTC.'),
  }
)

const BuildDistroBuildTester = entity('BuildDistroBuildTester', 'Someone who may install it.', {
  id: id('Id of the user.'),
  email: email('E-mail address of the user.'),
  installedAt: nullable(instant('When they first installed it, in UTC; null before.')),
  device: nullable(text('The device it is installed on; null where none is known.', 200)),
})

export const BuildDistroBuildEntity = entity(
  'BuildDistroBuildEntity',
  'A build in a bucket, for testers to install.',
  {
    id: id('Id of the distribution build.'),
    bucketId: id('Id of its bucket.'),
    bucketName: nonEmpty('Name of its bucket.', 100),
    appId: nonEmpty('Id of the app.', 200),
    status: words(BUILD_STATUSES, 'Whether it can be installed.'),
    artifactFileName: nonEmpty('Name of the file to install.', 255),
    fileSize: count('Size of that file in bytes.'),
    testerNotes: nullable(text('What testers should look at; null without notes.', 10_000)),
    ciBuild: nullable(here('The CI build it came from; null for one by hand.', CIBuildEntity)),
    additionalArtifacts: list('Further files.', BuildDistroAdditionalArtifact, 1000),
    testers: list('Who may install it.', BuildDistroBuildTester, 10_000),
    version: nullable(nonEmpty('Version read from the file; null where it does not tell.', 64)),
    buildNumber: nullable(
      nonEmpty('Build number read from the file; null where it does not tell.', 64)
    ),
    source: words(BUILD_SOURCES, 'Whether it was uploaded, or brought in by a bucket rule.'),
    createdAt: instant('When it came into the bucket, in UTC.'),
    createdBy: here('Who uploaded it, or the rule that brought it in.', ActorEntity),
    downloadUrl: nullable(url('Address of the file; null until it is stored.')),
    expiresAt: nullable(instant('When it expires, in UTC; null for never.')),
  }
)
export type BuildDistroBuildEntity = Static<typeof BuildDistroBuildEntity>

export const BucketMember = entity('BucketMember', 'A group or person of a bucket.', {
  id: id('Id of the group or user.'),
  type: words(['user', 'group'], 'Whether it is a person or a group.'),
  name: nonEmpty('Name of the group, or e-mail address of the user.', 320),
  permissionLevel: words(
    PERMISSION_LEVELS,
    'An admin may do more than an uploader, who may do more than a tester.'
  ),
})

export const BucketRule = entity('BucketRule', 'Which builds a bucket is for.', {
  id: id('Id of the rule.'),
  type: words(
    BUCKET_RULE_TYPES,
    '`Branch` is for builds of a branch, `PR` for those of pull requests onto one.'
  ),
  branch: nullable(nonEmpty('Branch pattern of a `Branch` rule; null for `PR`.', 256)),
  baseBranch: nullable(nonEmpty('Base branch pattern of a `PR` rule; null for `Branch`.', 256)),
  workflow: nullable(nonEmpty('CI workflow; null for any.', 255)),
  fileFilterPatterns: list(
    'Patterns of file names; empty means `*.ipa` or `*.apk`, by platform.',
    nonEmpty('Pattern of a file name, with `*` and `?`.', 256),
    50
  ),
})

export const BuildDistroAutomation = entity(
  'BuildDistroAutomation',
  'What runs for the builds of a bucket.',
  {
    type: words(['notifyOnNewBuild', 'autoAddTesters', 'expireOldBuilds'], 'What it does.'),
    enabled: flag('Whether it runs.'),
    config: Type.Record(Type.String(), Type.Unknown(), { description: 'Its settings.' }),
  }
)

export const BuildDistroBucketEntity = entity(
  'BuildDistroBucketEntity',
  'Where builds are handed to testers.',
  {
    id: id('Id of the bucket.'),
    appId: nonEmpty('Id of the app.', 200),
    name: nonEmpty('Name, unique in the app.', 100),
    type: words(BUCKET_TYPES, 'What it is for; an app has one `rc` and one `dev` bucket.'),
    status: words(BUCKET_STATUSES, 'An archived bucket takes no builds.'),
    orgWideAccessEnabled: flag('Whether everybody of the organization sees its builds.'),
    notificationsEnabled: flag('Whether testers are to be told of new builds.'),
    publicLinkEnabled: flag('Whether its builds may have public links.'),
    members: list('Groups and people, with their levels.', BucketMember, 1000),
    rules: list('Which builds it is for.', BucketRule, 100),
    automations: list('What runs for its builds.', BuildDistroAutomation, 10),
    buildCount: count('How many builds it holds.'),
    latestBuild: nullable(
      object('The build that came in last; null while it holds none.', {
        id: id('Id of the build.'),
        artifactFileName: nonEmpty('Name of the file to install.', 255),
        version: nullable(nonEmpty('Version of the build; null where it is not known.', 64)),
        createdAt: instant('When it came into the bucket, in UTC.'),
      })
    ),
    createdAt: instant('When the bucket was made, in UTC.'),
    updatedAt: instant('When it was last changed, in UTC.'),
  }
)
export type BuildDistroBucketEntity = Static<typeof BuildDistroBucketEntity>
