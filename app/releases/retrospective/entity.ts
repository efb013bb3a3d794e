import { Type, type Static } from '@sinclair/typebox'
import { ReleaseStepTypeSchema } from '#apps/entities'
import {
  described,
  entity,
  id,
  instant,
  list,
  nonEmpty,
  nullable,
  object,
} from '#foundation/core/schemas'
import { releaseId } from '../entities.js'
import { whoSchema } from '../schemas/why_not_moving_entity.js'

const hours = (description: string) => Type.Number({ description, minimum: 0 })
const usual = nullable(
  hours('Median of the same of the releases compared with, in hours; null without any.')
)

export const ReleaseRetrospectiveEntity = entity(
  'ReleaseRetrospectiveEntity',
  'What a release waited for from its kickoff to its completion. Each moment counts once: for the step that had to be mended, else was blocked, in progress or next, or for what held it from outside.',
  {
    releaseId: releaseId(),
    version: nonEmpty('Its version.', 32),
    from: instant('When it was kicked off, in UTC.'),
    to: instant('When it was completed, in UTC.'),
    hours: hours('Hours between them: those of all steps together.'),
    medianHours: usual,
    comparedWith: list(
      'The last completed releases of its kind before it, the latest first.',
      object('A release before it.', {
        releaseId: releaseId(),
        version: nonEmpty('Its version.', 32),
        hours: hours('Hours from its kickoff to its completion.'),
      }),
      5
    ),
    steps: list(
      'The steps that were waited for, the longest first; also those that the others waited for.',
      object('A step that was waited for.', {
        stepConfigId: nullable(
          id('Id of the step in the workflow; null for what is no step, such as a freeze.')
        ),
        name: nonEmpty('Name of the step, or what it was.', 100),
        type: nullable(
          described('Archetype of the step; null for what is no step.', ReleaseStepTypeSchema)
        ),
        hours: hours('Hours that it was waited for.'),
        medianHours: usual,
        waits: list(
          'The same by who could move it, the longest first.',
          object('How long it waited for some people or systems.', {
            who: list('Whoever could move it; any of them.', whoSchema, 10_000),
            hours: hours('Hours that it waited for them.'),
          }),
          10_000
        ),
      }),
      10_000
    ),
  }
)
export type ReleaseRetrospectiveEntity = Static<typeof ReleaseRetrospectiveEntity>

export const ReleaseRetrospective = entity('ReleaseRetrospective', 'What a release waited for.', {
  retrospective: nullable(
    described(
      'What it waited for; null until it is completed, and of one that was skipped, imported or never kicked off.',
      ReleaseRetrospectiveEntity
    )
  ),
})
