import { Type, type Static } from '@sinclair/typebox'
import { CIBuildEntity } from '#builds/entities'
import {
  ActorEntity,
  count,
  described,
  email,
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
import { LIMITS } from '#app-archives/limits'
import {
  ARCHIVE_FORMATS,
  ARCHIVE_PLATFORMS,
  COMPONENT_KINDS,
  EXPORTED_TYPES,
  PROFILE_TYPES,
  SIGNATURE_SCHEMES,
  SIZE_PARTS,
} from '#app-archives/metadata'
import { MAX_TAG, MAX_TAGS } from './testers/tags.js'
import {
  BUCKET_RULE_TYPES,
  BUCKET_STATUSES,
  BUCKET_TYPES,
  BUILD_SOURCES,
  BUILD_STATUSES,
  MAX_FILTERS,
  MAX_MEMBERS,
  MAX_RULES,
  METADATA_STATUSES,
  METADATA_WARNINGS,
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
  installedAt: nullable(
    instant('When they first downloaded it by their link, in UTC; null before.')
  ),
  device: nullable(text('The device it is installed on; null if none is known.', 200)),
})

const BuildDistroBuildSigning = entity(
  'BuildDistroBuildSigning',
  'Who signed an Android file. Devices verify it; here it is only read.',
  {
    schemes: list(
      'The kinds of signature it has, the oldest first; `v1` is that of a JAR.',
      words(SIGNATURE_SCHEMES),
      SIGNATURE_SCHEMES.length
    ),
    certificateSha256: text('SHA-256 of the certificate, in hexadecimal digits.', 64),
    isDebugSigned: flag('Whether it is signed with the debug key of a development machine.'),
  }
)

const BuildDistroBuildProfile = entity(
  'BuildDistroBuildProfile',
  'The provisioning profile of an iOS file: what it may do, and on which devices.',
  {
    name: nullable(nonEmpty('Name of the profile; null without one.', 255)),
    type: words(
      PROFILE_TYPES,
      'How it is handed out: to the devices of developers, to those listed (`adHoc`), inside the enterprise, or by the store.'
    ),
    teamId: nullable(nonEmpty('Id of the team; null if unknown.', 64)),
    teamName: nullable(nonEmpty('Name of the team; null if unknown.', 255)),
    expiresAt: nullable(instant('When the profile expires, in UTC; null if unknown.')),
    certificateExpiresAt: nullable(
      instant('When the last of its signing certificates ends, in UTC; null if it names none.')
    ),
    deviceCount: nullable(count('How many devices it lists; null if it is not bound to devices.')),
    getTaskAllow: flag('Whether a debugger may attach (`get-task-allow`).'),
    entitlements: nullable(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'The entitlements it grants; null if they are larger than is kept.',
      })
    ),
  }
)

const BuildDistroBuildMetadata = entity(
  'BuildDistroBuildMetadata',
  'What the file of a build says of its app.',
  {
    format: words(ARCHIVE_FORMATS, 'The kind of file, by what is in it.'),
    sha256: text('SHA-256 of the file, in hexadecimal digits.', 64),
    platform: words(ARCHIVE_PLATFORMS, 'The platform it is for.'),
    bundleId: nonEmpty('Bundle id, or package of Android.', 255),
    name: nullable(nonEmpty('Name that users see; null if unknown.', 255)),
    version: nullable(nonEmpty('Version; null if unknown.', 64)),
    buildNumber: nullable(
      nonEmpty('Build number, or version code of Android; null if unknown.', 64)
    ),
    minimumOsVersion: nullable(
      nonEmpty(
        'Oldest system it runs on: a version, or an API level of Android; null if unknown.',
        64
      )
    ),
    targetOsVersion: nullable(
      nonEmpty(
        'System it was made for: a version, or an API level of Android; null if unknown.',
        64
      )
    ),
    abis: list('Architectures it has code for.', nonEmpty('Architecture.', 32), LIMITS.abis),
    permissions: list(
      'Permissions that an Android file asks for, or usage descriptions of an iOS file.',
      nonEmpty('Name of the permission.', 128),
      LIMITS.permissions
    ),
    signing: nullable(
      described('Who signed it; null for iOS, and where it is not signed.', BuildDistroBuildSigning)
    ),
    profile: nullable(
      described('Its profile; null if it has none that can be read.', BuildDistroBuildProfile)
    ),
    profileFailure: nullable(
      text('Why its profile could not be read; null if it could, or there is none.', 500)
    ),
    iconFailure: nullable(text('Why there is no icon; null if there is one.', 500)),
    warnings: list(
      'What does not fit the app; nothing of it is refused.',
      object('A warning.', {
        code: words(METADATA_WARNINGS, 'Stable code of the warning.'),
        message: nonEmpty('What it says, for people.', 1000),
      }),
      METADATA_WARNINGS.length
    ),
  }
)

export const BuildDistroBuildContents = entity(
  'BuildDistroBuildContents',
  'What the file of a build holds.',
  {
    components: list(
      'Frameworks, libraries, bundles and app extensions.',
      object('A component.', {
        kind: words(COMPONENT_KINDS, 'The kind of component.'),
        name: nonEmpty('Its name; `group:artifact` of a library.', 200),
        version: nullable(nonEmpty('Its version; null if unknown.', 64)),
      }),
      LIMITS.components
    ),
    exported: list(
      'What other apps can start: exported components, URL schemes.',
      object('An entrance.', {
        type: words(EXPORTED_TYPES, 'The kind of entrance.'),
        name: nonEmpty('Name of the class, or the scheme.', 200),
        permission: nullable(nonEmpty('The permission others need for it; null for none.', 200)),
      }),
      LIMITS.exported
    ),
    omitted: count('How many components are left out or not read.'),
    omittedExported: count('How many entrances are left out or cut.'),
    sizes: Type.Record(Type.String(), count('Bytes.'), {
      description: `Size by part, compressed as it is shipped: ${SIZE_PARTS.join(', ')}.`,
    }),
    abiSizes: list(
      'Size of native code by architecture.',
      object('An architecture.', {
        abi: nonEmpty('The architecture.', 32),
        bytes: count('Bytes, compressed.'),
      }),
      LIMITS.abis
    ),
  }
)

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
    tags: list('Words that testers find it by.', nonEmpty('A tag.', MAX_TAG), MAX_TAGS),
    ciBuild: nullable(described('The CI build it came from; null for one by hand.', CIBuildEntity)),
    additionalArtifacts: list('Further files.', BuildDistroAdditionalArtifact, 1000),
    testers: list(
      'Who was given an install link to it, or installed it by one.',
      BuildDistroBuildTester,
      10_000
    ),
    version: nullable(nonEmpty('Version read from the file; null if unknown.', 64)),
    buildNumber: nullable(nonEmpty('Build number read from the file; null if unknown.', 64)),
    source: words(BUILD_SOURCES, 'Whether it was uploaded, or brought in by a bucket rule.'),
    createdAt: instant('When it came into the bucket, in UTC.'),
    createdBy: described('Who uploaded it, or the rule that brought it in.', ActorEntity),
    downloadUrl: nullable(url('Address of the file; null until it is stored.')),
    expiresAt: nullable(instant('When it expires, in UTC; null for never.')),
    metadataStatus: words(
      METADATA_STATUSES,
      'Whether the file was read: soon after it is stored. A build whose file could not be read can be installed all the same.'
    ),
    metadataFailure: nullable(text('Why the file could not be read; null unless `failed`.', 500)),
    metadata: nullable(
      described('What the file says of its app; null unless `read`.', BuildDistroBuildMetadata)
    ),
    contents: Type.Optional(
      nullable(
        described(
          'What the file holds; absent in lists, null where it was not read.',
          BuildDistroBuildContents
        )
      )
    ),
  }
)
export type BuildDistroBuildEntity = Static<typeof BuildDistroBuildEntity>

const BucketMember = entity('BucketMember', 'A group or person of a bucket.', {
  id: id('Id of the group or user.'),
  type: words(['user', 'group'], 'Whether it is a person or a group.'),
  name: nonEmpty('Name of the group, or e-mail address of the user.', 320),
  permissionLevel: words(
    PERMISSION_LEVELS,
    'An admin may do more than an uploader, who may do more than a tester.'
  ),
})

const BucketRule = entity('BucketRule', 'Which builds a bucket is for.', {
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
    MAX_FILTERS
  ),
})

const BuildDistroAutomation = entity(
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
    notificationsEnabled: flag('Whether testers are to be notified of new builds.'),
    publicLinkEnabled: flag('Whether its builds may have public links.'),
    members: list('Groups and people, with their levels.', BucketMember, MAX_MEMBERS),
    rules: list('Which builds it is for.', BucketRule, MAX_RULES),
    automations: list('What runs for its builds.', BuildDistroAutomation, 10),
    buildCount: count('How many builds it holds.'),
    latestBuild: nullable(
      object('The build that came in last; null while it holds none.', {
        id: id('Id of the build.'),
        artifactFileName: nonEmpty('Name of the file to install.', 255),
        version: nullable(nonEmpty('Version of the build; null if it is not known.', 64)),
        createdAt: instant('When it came into the bucket, in UTC.'),
      })
    ),
    createdAt: instant('When the bucket was made, in UTC.'),
    updatedAt: instant('When it was last changed, in UTC.'),
  }
)
export type BuildDistroBucketEntity = Static<typeof BuildDistroBucketEntity>
