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
  enumOf,
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
  'An additional file of a distribution build.',
  {
    fileName: nonEmpty('Name of the file, unique in the build.', 255),
    size: count('Size in bytes.'),
    createdAt: instant('When it was attached, in UTC.'),
  }
)

const BuildDistroBuildTester = entity('BuildDistroBuildTester', 'A tester of a build.', {
  id: id('Id of the user.'),
  email: email('E-mail address of the user.'),
  installedAt: nullable(
    instant('When they first downloaded it through their link, in UTC; null before.')
  ),
  device: nullable(text('Device that it is installed on; null if unknown.', 200)),
})

const BuildDistroBuildSigning = entity(
  'BuildDistroBuildSigning',
  'Signature of an Android file. It is only read; devices verify it.',
  {
    schemes: list(
      'Signature schemes, oldest first; `v1` is JAR signing.',
      enumOf(SIGNATURE_SCHEMES),
      SIGNATURE_SCHEMES.length
    ),
    certificateSha256: text('SHA-256 of the certificate, in hexadecimal.', 64),
    isDebugSigned: flag('Whether it is signed with the debug key of a development machine.'),
  }
)

const BuildDistroBuildProfile = entity(
  'BuildDistroBuildProfile',
  'Provisioning profile of an iOS file: what it may do, and on which devices.',
  {
    name: nullable(nonEmpty('Name of the profile; null if it has none.', 255)),
    type: enumOf(
      PROFILE_TYPES,
      'Distribution: to development devices, to listed devices (`adHoc`), within the enterprise or through the store.'
    ),
    teamId: nullable(nonEmpty('Id of the team; null if unknown.', 64)),
    teamName: nullable(nonEmpty('Name of the team; null if unknown.', 255)),
    expiresAt: nullable(instant('When the profile expires, in UTC; null if unknown.')),
    certificateExpiresAt: nullable(
      instant('When the last of its signing certificates expires, in UTC; null if it has none.')
    ),
    deviceCount: nullable(
      count('Number of devices it lists; null if it is not limited to devices.')
    ),
    getTaskAllow: flag('Whether a debugger may attach (`get-task-allow`).'),
    entitlements: nullable(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'Entitlements that it grants; null if too large to store.',
      })
    ),
  }
)

const BuildDistroBuildMetadata = entity(
  'BuildDistroBuildMetadata',
  'App metadata read from the file of a build.',
  {
    format: enumOf(ARCHIVE_FORMATS, 'Format of the file, by its contents.'),
    sha256: text('SHA-256 of the file, in hexadecimal.', 64),
    platform: enumOf(ARCHIVE_PLATFORMS, 'Platform of the app.'),
    bundleId: nonEmpty('Bundle id, or Android package name.', 255),
    name: nullable(nonEmpty('Display name; null if unknown.', 255)),
    version: nullable(nonEmpty('Version; null if unknown.', 64)),
    buildNumber: nullable(nonEmpty('Build number, or Android version code; null if unknown.', 64)),
    minimumOsVersion: nullable(
      nonEmpty('Minimum OS version, or Android API level; null if unknown.', 64)
    ),
    targetOsVersion: nullable(
      nonEmpty('Target OS version, or Android API level; null if unknown.', 64)
    ),
    abis: list('Architectures it contains code for.', nonEmpty('Architecture.', 32), LIMITS.abis),
    permissions: list(
      'Permissions an Android file requests, or usage descriptions of an iOS file.',
      nonEmpty('Name of the permission.', 128),
      LIMITS.permissions
    ),
    signing: nullable(
      described('Signature; null for iOS files and unsigned ones.', BuildDistroBuildSigning)
    ),
    profile: nullable(
      described(
        'Provisioning profile; null if it has none that can be read.',
        BuildDistroBuildProfile
      )
    ),
    profileFailure: nullable(
      text('Why the profile could not be read; null if it was read or there is none.', 500)
    ),
    iconFailure: nullable(text('Why there is no icon; null if there is one.', 500)),
    warnings: list(
      'Mismatches with the app; the build is accepted anyway.',
      object('A warning.', {
        code: enumOf(METADATA_WARNINGS, 'Stable code of the warning.'),
        message: nonEmpty('Human-readable message.', 1000),
      }),
      METADATA_WARNINGS.length
    ),
  }
)

export const BuildDistroBuildContents = entity(
  'BuildDistroBuildContents',
  'Contents of the file of a build.',
  {
    components: list(
      'Frameworks, libraries, bundles and app extensions.',
      object('A component.', {
        kind: enumOf(COMPONENT_KINDS, 'Kind of component.'),
        name: nonEmpty('Name; `group:artifact` for a library.', 200),
        version: nullable(nonEmpty('Version; null if unknown.', 64)),
      }),
      LIMITS.components
    ),
    exported: list(
      'Entry points for other apps: exported components and URL schemes.',
      object('An entry point.', {
        type: enumOf(EXPORTED_TYPES, 'Kind of entry point.'),
        name: nonEmpty('Class name or URL scheme.', 200),
        permission: nullable(nonEmpty('Permission required to use it; null if none.', 200)),
      }),
      LIMITS.exported
    ),
    omitted: count('Number of components omitted or not read.'),
    omittedExported: count('Number of entry points omitted or truncated.'),
    sizes: Type.Record(Type.String(), count('Size in bytes.'), {
      description: `Size by part, compressed as shipped: ${SIZE_PARTS.join(', ')}.`,
    }),
    abiSizes: list(
      'Size of native code by architecture.',
      object('An architecture.', {
        abi: nonEmpty('The architecture.', 32),
        bytes: count('Compressed size in bytes.'),
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
    status: enumOf(BUILD_STATUSES, 'Status of the build.'),
    artifactFileName: nonEmpty('Name of the file to install.', 255),
    fileSize: count('Size of that file in bytes.'),
    testerNotes: nullable(text('Notes for testers; null if there are none.', 10_000)),
    tags: list('Tags that testers can search by.', nonEmpty('A tag.', MAX_TAG), MAX_TAGS),
    ciBuild: nullable(described('CI build it came from; null if none.', CIBuildEntity)),
    additionalArtifacts: list('Files attached to the build.', BuildDistroAdditionalArtifact, 1000),
    testers: list(
      'Users with an install link to it, or who installed it through one.',
      BuildDistroBuildTester,
      10_000
    ),
    version: nullable(nonEmpty('Version read from the file; null if unknown.', 64)),
    buildNumber: nullable(nonEmpty('Build number read from the file; null if unknown.', 64)),
    source: enumOf(BUILD_SOURCES, 'Whether it was uploaded, or added by a bucket rule.'),
    createdAt: instant('When it was added to the bucket, in UTC.'),
    createdBy: described('Who uploaded it, or the rule that added it.', ActorEntity),
    downloadUrl: nullable(url('URL of the file; null until it is stored.')),
    expiresAt: nullable(instant('When it expires, in UTC; null if never.')),
    metadataStatus: enumOf(
      METADATA_STATUSES,
      'Whether the file was read, which happens soon after it is stored. A build whose file could not be read can still be installed.'
    ),
    metadataFailure: nullable(text('Why the file could not be read; null unless `failed`.', 500)),
    metadata: nullable(
      described('App metadata from the file; null unless `read`.', BuildDistroBuildMetadata)
    ),
    contents: Type.Optional(
      nullable(
        described(
          'Contents of the file; absent in lists, null if it was not read.',
          BuildDistroBuildContents
        )
      )
    ),
  }
)
export type BuildDistroBuildEntity = Static<typeof BuildDistroBuildEntity>

const BucketMember = entity('BucketMember', 'A group or user in a bucket.', {
  id: id('Id of the group or user.'),
  type: enumOf(['user', 'group'], 'Whether it is a user or a group.'),
  name: nonEmpty('Name of the group, or e-mail address of the user.', 320),
  permissionLevel: enumOf(
    PERMISSION_LEVELS,
    'Permission level: `admin` includes `uploader`, which includes `tester`.'
  ),
})

const BucketRule = entity('BucketRule', 'A rule that selects builds for a bucket.', {
  id: id('Id of the rule.'),
  type: enumOf(
    BUCKET_RULE_TYPES,
    '`Branch` matches builds of a branch, `PR` those of pull requests into one.'
  ),
  branch: nullable(nonEmpty('Branch pattern of a `Branch` rule; null for `PR`.', 256)),
  baseBranch: nullable(nonEmpty('Base branch pattern of a `PR` rule; null for `Branch`.', 256)),
  workflow: nullable(nonEmpty('CI workflow; null for any.', 255)),
  fileFilterPatterns: list(
    'File name patterns; empty means `*.ipa` or `*.apk`, by platform.',
    nonEmpty('File name pattern with `*` and `?`.', 256),
    MAX_FILTERS
  ),
})

const BuildDistroAutomation = entity(
  'BuildDistroAutomation',
  'An automation for the builds of a bucket.',
  {
    type: enumOf(
      ['notifyOnNewBuild', 'autoAddTesters', 'expireOldBuilds'],
      'Type of the automation.'
    ),
    enabled: flag('Whether it is enabled.'),
    config: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Settings of the automation.',
    }),
  }
)

export const BuildDistroBucketEntity = entity(
  'BuildDistroBucketEntity',
  'A bucket that distributes builds to testers.',
  {
    id: id('Id of the bucket.'),
    appId: nonEmpty('Id of the app.', 200),
    name: nonEmpty('Name of the bucket, unique in the app.', 100),
    type: enumOf(
      BUCKET_TYPES,
      'Type of the bucket; an app has at most one `rc` and one `dev` bucket.'
    ),
    status: enumOf(BUCKET_STATUSES, 'Status; an archived bucket accepts no builds.'),
    orgWideAccessEnabled: flag('Whether everyone in the organization sees its builds.'),
    notificationsEnabled: flag('Whether testers are notified of new builds.'),
    publicLinkEnabled: flag('Whether its builds may have public links.'),
    members: list('Groups and users with their permission levels.', BucketMember, MAX_MEMBERS),
    rules: list('Rules that select its builds.', BucketRule, MAX_RULES),
    automations: list('Automations for its builds.', BuildDistroAutomation, 10),
    buildCount: count('Number of builds in the bucket.'),
    latestBuild: nullable(
      object('Newest build; null if there is none.', {
        id: id('Id of the build.'),
        artifactFileName: nonEmpty('Name of the file to install.', 255),
        version: nullable(nonEmpty('Version of the build; null if unknown.', 64)),
        createdAt: instant('When it was added to the bucket, in UTC.'),
      })
    ),
    createdAt: instant('When the bucket was created, in UTC.'),
    updatedAt: instant('When it was last changed, in UTC.'),
  }
)
export type BuildDistroBucketEntity = Static<typeof BuildDistroBucketEntity>
