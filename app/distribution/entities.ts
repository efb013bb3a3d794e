import { CIBuildEntity } from '#builds/entities'
import {
  ActorEntity,
  count,
  email,
  entity,
  here,
  id,
  instant,
  list,
  named,
  nonEmpty,
  nullable,
  text,
  url,
  words,
} from '#foundation/core/schemas'

const BuildDistroBuildStatus = named('BuildDistroBuildStatus', {
  ...words(['pending', 'processing', 'active', 'failed', 'expired']),
  description: 'Whether a distribution build can be installed: only while it is `active`.',
})

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
    status: here('Whether it can be installed.', BuildDistroBuildStatus),
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
    source: words(['upload', 'rule'], 'Whether it was uploaded, or brought in by a bucket rule.'),
    createdAt: instant('When it came into the bucket, in UTC.'),
    createdBy: here('Who uploaded it, or the rule that brought it in.', ActorEntity),
    downloadUrl: nullable(url('Address of the file; null until it is stored.')),
    expiresAt: nullable(instant('When it expires, in UTC; null for never.')),
  }
)
