import type { Static } from '@sinclair/typebox'
import {
  ActorEntity,
  count,
  described,
  entity,
  flag,
  id,
  instant,
  list,
  nonEmpty,
  nullable,
  text,
  enumOf,
} from '#foundation/core/schemas'
import { MAX_IGNORED, READINESS_REASONS } from './vocabulary.js'
import { NOTES_STEP_TYPES, NOTES_TYPES } from './notes/vocabulary.js'
import { WorkItem } from './work_item_entities.js'

export const FeatureReadinessReleaseStepData = entity(
  'FeatureReadinessReleaseStepData',
  'Data of a feature readiness step: counts of its work items.',
  {
    total: count('Number of work items of the release.'),
    ready: count('Items whose code and ticket are done.'),
    notReady: count('Items that still lack something.'),
    ignored: count('Items that a person has ignored.'),
  }
)

export const ChangeEntity = entity(
  'ChangeEntity',
  'A work item that one version has and an earlier one lacks.',
  {
    releaseId: nonEmpty('Id of the first release with it, `<appId>:<version>`.', 240),
    version: nonEmpty('Version of that release.', 32),
    workItem: described('The work item, with only its new code.', WorkItem),
  }
)

export const FeatureReadinessItemEntity = entity(
  'FeatureReadinessItemEntity',
  'A work item of a release, and whether it is ready.',
  {
    id: id('Id of the item.'),
    workItem: described('The ticket and its code.', WorkItem),
    ready: flag('True if nothing is missing.'),
    reason: enumOf(
      READINESS_REASONS,
      'What is missing: any code, its merge into the release (into the working branch before kickoff), a completed ticket, or a ticket affiliated with the release; `ready` if nothing is.'
    ),
    ignored: flag('Whether a person has ignored it, so that it blocks nothing.'),
    ignoredBy: nullable(described('Who ignored it; null if nobody did.', ActorEntity)),
    ignoredAt: nullable(instant('When it was ignored, in UTC; null if it is not.')),
  }
)
export type FeatureReadinessItemEntity = Static<typeof FeatureReadinessItemEntity>

const FeatureReadinessItemError = entity(
  'FeatureReadinessItemError',
  'An item that was not changed.',
  {
    id: id('Id given in the request.'),
    error: nonEmpty('Human-readable message.', 10_000),
    code: nonEmpty('Stable code of the error.', 64),
  }
)

export const IgnoredItemsResponse = entity(
  'FeatureReadinessItemsResponse',
  'The items that were ignored or restored, and those that failed.',
  {
    updated: list('The changed items.', FeatureReadinessItemEntity, MAX_IGNORED),
    errors: list('The items that failed.', FeatureReadinessItemError, MAX_IGNORED),
  }
)

export const GeneratedNotes = entity(
  'GeneratedReleaseNotes',
  'Notes on the content of a release.',
  {
    notes: text('The notes, as plain text.', 4000),
    locale: nonEmpty('BCP-47 tag of their language, in its canonical spelling.', 35),
    notesType: enumOf(NOTES_TYPES, 'Purpose of the notes.'),
    stepType: enumOf(NOTES_STEP_TYPES, 'The step they were written for.'),
    source: enumOf(
      ['workItems', 'model'],
      'Origin of the text: rules based on the titles of the work items, or the language model.'
    ),
    modelFailure: nullable(
      nonEmpty('Why the configured model did not write them; null otherwise.', 500)
    ),
    generatedAt: instant('When they were written, in UTC.'),
    basedOn: list('Ids of the work items they are based on.', id('Id of a work item.'), 50_000),
  }
)
