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
  words,
} from '#foundation/core/schemas'
import { releaseId } from '#releases/entities'
import { ASPECTS, CHANGE_KINDS } from './vocabulary.js'

const ComparedBuildEntity = entity(
  'ComparedBuild',
  'One of two builds, as far as its file was read.',
  {
    name: nonEmpty('The build in words.', 200),
    releaseId: nullable(releaseId('Its release; null for a build by its id.')),
    buildId: nullable(id('Id of the distribution build; null if no bucket has its file.')),
    bucketId: nullable(id('Id of its bucket; null as above.')),
    version: nullable(nonEmpty('Its version; null if it is not known.', 64)),
    buildNumber: nullable(nonEmpty('Its build number; null if it is not known.', 64)),
    whyUnread: nullable(text('Why its file was not read; null if it was.', 600)),
    format: nullable(words(ARCHIVE_FORMATS, 'The kind of file; null if it was not read.')),
    minimumOsVersion: nullable(nonEmpty('Oldest system it runs on; null if not stated.', 64)),
    targetOsVersion: nullable(nonEmpty('System it was made for; null if not stated.', 64)),
    permissions: list('What it asks users for.', nonEmpty('Permission.', 128), LIMITS.permissions),
    contents: nullable(
      described('What the file holds; null if it was not read.', BuildDistroBuildContents)
    ),
  }
)

const BuildChangeEntity = entity('BuildChange', 'One difference between two builds.', {
  kind: words(CHANGE_KINDS, 'The kind of change.'),
  subject: nullable(text('What differs, such as a permission; null if there is one alone.', 400)),
  from: nullable(text('As it was; sizes in bytes. Null for nothing.', 10_000)),
  to: nullable(text('As it is; null for nothing.', 10_000)),
  message: text('The change in words.', 25_000),
})

/** Most differences: of all that two readings hold. */
const MOST_CHANGES = 10_000

export const BuildComparison = entity(
  'BuildComparison',
  'What changed from one build to another.',
  {
    base: nullable(
      described(
        'The build it is compared with; null before users have a version.',
        ComparedBuildEntity
      )
    ),
    build: nullable(described('The build; null while the release has none.', ComparedBuildEntity)),
    changes: list('What changed, by kind.', BuildChangeEntity, MOST_CHANGES),
    notCompared: list(
      'What could not be compared: not read of both, or not whole.',
      words(ASPECTS, 'What was not compared.'),
      ASPECTS.length
    ),
    explanation: nullable(
      text('Why there is nothing to compare; null if the two were compared.', 1000)
    ),
  }
)
export type BuildComparison = Static<typeof BuildComparison>
