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
const usual = nullable(hours('Median over the compared releases, in hours; null if none.'))

export const ReleaseRetrospectiveEntity = entity(
  'ReleaseRetrospectiveEntity',
  'What a release waited for from kickoff to completion. Each moment counts only once: for one step (one that failed, else one that was blocked, in progress or next), or for an external cause.',
  {
    releaseId: releaseId(),
    version: nonEmpty('Version of the release.', 32),
    from: instant('When the release was kicked off, in UTC.'),
    to: instant('When the release was completed, in UTC.'),
    hours: hours('Hours from kickoff to completion: the sum over all steps.'),
    medianHours: usual,
    comparedWith: list(
      'Previous completed releases of its kind, latest first.',
      object('A previous release.', {
        releaseId: releaseId(),
        version: nonEmpty('Version of the release.', 32),
        hours: hours('Hours from its kickoff to its completion.'),
      }),
      5
    ),
    steps: list(
      'Steps that this or a compared release waited for, longest wait first.',
      object('A step that the release waited for.', {
        stepConfigId: nullable(
          id('Id of the step in the workflow; null for other causes, such as a freeze.')
        ),
        name: nonEmpty('Name of the step or other cause.', 100),
        type: nullable(
          described('Type of the step; null for other causes.', ReleaseStepTypeSchema)
        ),
        hours: hours('Hours spent waiting for it.'),
        medianHours: usual,
        waits: list(
          'Waits by who could act, longest first.',
          object('Time spent waiting for certain people or systems.', {
            who: list('People or systems, any of whom could act.', whoSchema, 10_000),
            hours: hours('Hours spent waiting for them.'),
          }),
          10_000
        ),
      }),
      10_000
    ),
  }
)
export type ReleaseRetrospectiveEntity = Static<typeof ReleaseRetrospectiveEntity>

export const ReleaseRetrospective = entity('ReleaseRetrospective', 'Retrospective of a release.', {
  retrospective: nullable(
    described(
      'What the release waited for; null until it is completed, and if it was skipped, imported or never kicked off.',
      ReleaseRetrospectiveEntity
    )
  ),
})
