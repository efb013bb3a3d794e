import type { Static } from '@sinclair/typebox'
import { LIMITS } from '#app-archives/limits'
import { ARCHIVE_FORMATS } from '#app-archives/metadata'
import { BuildDistroBuildContents } from '#distribution/entities'
import {
  described,
  entity,
  id,
  list,
  nonEmpty,
  nullable,
  text,
  enumOf,
} from '#foundation/core/schemas'
import { releaseId } from '#releases/entities'
import { ASPECTS, CHANGE_KINDS } from './vocabulary.js'

const ComparedBuildEntity = entity(
  'ComparedBuild',
  'A compared build, with what was read from its file.',
  {
    name: nonEmpty('Display name of the build.', 200),
    releaseId: nullable(releaseId('Release of the build; null if it was requested by id.')),
    buildId: nullable(id('Id of the distribution build; null if no visible bucket has its file.')),
    bucketId: nullable(id('Id of its bucket; null if `buildId` is.')),
    version: nullable(nonEmpty('Version; null if unknown.', 64)),
    buildNumber: nullable(nonEmpty('Build number; null if unknown.', 64)),
    whyUnread: nullable(text('Why the file was not read; null if it was.', 600)),
    format: nullable(enumOf(ARCHIVE_FORMATS, 'Format of the file; null if it was not read.')),
    minimumOsVersion: nullable(nonEmpty('Minimum OS version; null if unknown.', 64)),
    targetOsVersion: nullable(nonEmpty('Target OS version; null if unknown.', 64)),
    permissions: list('Permissions it requests.', nonEmpty('Permission.', 128), LIMITS.permissions),
    contents: nullable(
      described('Contents of the file; null if it was not read.', BuildDistroBuildContents)
    ),
  }
)

const BuildChangeEntity = entity('BuildChange', 'One difference between two builds.', {
  kind: enumOf(CHANGE_KINDS, 'Kind of change.'),
  subject: nullable(
    text('What differs, such as a permission; null if the kind implies it.', 10_000)
  ),
  from: nullable(text('Value in the base build; sizes in bytes. Null if none.', 10_000)),
  to: nullable(text('Value in the build; null if none.', 10_000)),
  message: text('Human-readable message.', 25_000),
})

/** Most differences: of all that two readings hold. */
const MAX_CHANGES = 10_000

export const BuildComparison = entity('BuildComparison', 'The changes from one build to another.', {
  base: nullable(
    described('Build it is compared with; null before users have a version.', ComparedBuildEntity)
  ),
  build: nullable(described('The build; null while the release has none.', ComparedBuildEntity)),
  changes: list('Changes, ordered by kind.', BuildChangeEntity, MAX_CHANGES),
  notCompared: list(
    'Aspects not compared: not fully read from both builds, or the formats differ.',
    enumOf(ASPECTS, 'An aspect.'),
    ASPECTS.length
  ),
  explanation: nullable(
    text('Why there is nothing to compare; null if the two were compared.', 1000)
  ),
})
export type BuildComparison = Static<typeof BuildComparison>
