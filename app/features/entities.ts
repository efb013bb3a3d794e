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
  words,
} from '#foundation/core/schemas'
import { MAX_IGNORED, READINESS_REASONS } from './vocabulary.js'
import { NOTES_STEP_TYPES, NOTES_TYPES } from './notes/vocabulary.js'
import { WorkItem } from './work_item_entities.js'

export const FeatureReadinessReleaseStepData = entity(
  'FeatureReadinessReleaseStepData',
  'Data of a feature readiness step: its work items, counted.',
  {
    total: count('Work items of the release.'),
    ready: count('Those whose code and ticket are done.'),
    notReady: count('Those that something is still missing of.'),
    ignored: count('Those that a person has put aside.'),
  }
)

export const ChangeEntity = entity(
  'ChangeEntity',
  'A work item that one version has and an earlier one has not.',
  {
    releaseId: nonEmpty('Id of the release that brought it first, `<appId>:<version>`.', 240),
    version: nonEmpty('Version of that release.', 32),
    workItem: described('The change, with the code of it that is new.', WorkItem),
  }
)

export const FeatureReadinessItemEntity = entity(
  'FeatureReadinessItemEntity',
  'A work item of a release, and whether it is ready for it.',
  {
    id: id('Id of the item.'),
    workItem: described('The change: its ticket and its code.', WorkItem),
    ready: flag('Whether nothing is missing of it.'),
    reason: words(
      READINESS_REASONS,
      'What is missing: code at all, its merge into the release (into the working branch before kickoff), a ticket that is done, or a ticket that says it belongs to the release; `ready` where nothing is.'
    ),
    ignored: flag('Whether a person has put it aside: it holds nothing up then.'),
    ignoredBy: nullable(described('Who put it aside; null for nobody.', ActorEntity)),
    ignoredAt: nullable(instant('When it was put aside, in UTC; null unless it is.')),
  }
)
export type FeatureReadinessItemEntity = Static<typeof FeatureReadinessItemEntity>

const FeatureReadinessItemError = entity(
  'FeatureReadinessItemError',
  'An item that was left as it was.',
  {
    id: id('Id as the request gave it.'),
    error: nonEmpty('What is wrong, for people.', 10_000),
    code: nonEmpty('Stable code of the error.', 64),
  }
)

export const IgnoredItemsResponse = entity(
  'FeatureReadinessItemsResponse',
  'What was put aside or taken up again, and what was not.',
  {
    updated: list('The items as they are now.', FeatureReadinessItemEntity, MAX_IGNORED),
    errors: list('The items that failed.', FeatureReadinessItemError, MAX_IGNORED),
  }
)

export const GeneratedNotes = entity('GeneratedReleaseNotes', 'Notes of what is in a release.', {
  notes: text('The notes, as plain text.', 4000),
  locale: nonEmpty('BCP-47 tag of their language, in its canonical spelling.', 35),
  notesType: words(NOTES_TYPES, 'What they are for.'),
  stepType: words(NOTES_STEP_TYPES, 'The step they were written at.'),
  source: words(
    ['workItems', 'model'],
    'Who wrote them: rules, from the titles of the work items, or the language model.'
  ),
  modelFailure: nullable(
    nonEmpty('Why the model that is configured did not write them; null otherwise.', 500)
  ),
  generatedAt: instant('When they were written, in UTC.'),
  basedOn: list('Ids of the work items they mention.', id('Id of a work item.'), 50_000),
})
