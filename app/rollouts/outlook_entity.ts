import { Type, type Static } from '@sinclair/typebox'
import {
  count,
  described,
  entity,
  flag,
  instant,
  list,
  nonEmpty,
  nullable,
  object,
  percentage,
  enumOf,
} from '#foundation/core/schemas'
import { courseMembers } from './course_entity.js'
import { RolloutPolicyEntity } from './entities.js'
import { DECIDED_BY } from './policy/outlook.js'
import { MAX_LENGTHS, MAX_ENTRIES } from './vocabulary.js'

const number = (description: string) => Type.Number({ description, minimum: 0 })

const counts = (description: string) =>
  object(description, {
    of: number('Number of cases counted.'),
    bad: number('Number of failed cases.'),
  })

/** The course of a rollout by a policy, as far as it is known. */
export const RolloutOutlookEntity = entity(
  'RolloutOutlookEntity',
  'Forecast of a rollout under a policy if it begins as soon as it may and stays healthy.',
  {
    policy: described('The complete policy; null if none.', RolloutPolicyEntity.properties.policy),
    isApple: flag('Whether the stages are the days of the App Store.'),
    startsAt: nullable(instant('When the rollout begins, in UTC; null without a policy.')),
    rungs: list(
      'Stages, from the first share on; empty without a policy.',
      object('A stage of the ladder.', {
        percentage: percentage('Share of users.'),
        hours: count('Minimum duration, in hours.'),
        expectedAt: nullable(
          instant('When the stage is reached, in UTC; null if the numbers never justify it.')
        ),
        because: enumOf(DECIDED_BY, 'What determines when the stage is reached.'),
      }),
      MAX_ENTRIES.rungs
    ),
    closed: described(
      'Periods without growth during the rollout, or in the requested period.',
      courseMembers.forecast.properties.closed
    ),
    metrics: list(
      'Metrics the guard will count; empty without one.',
      object('A metric.', {
        name: nonEmpty('Name of the metric.', MAX_LENGTHS.name),
        unit: enumOf(['users', 'sessions', 'reviews'], 'Unit of the counts.'),
        knownDays: count('Number of days with known counts for the app in this store.'),
        daily: nullable(
          counts(
            'Counts of a day on which all users have a version; null if too few days are known.'
          )
        ),
        harmedAtMost: nullable(number('Daily cases that a new version may harm; null if unknown.')),
        rungs: list(
          'Counts at each stage but the last, up to the first that is never left; empty if the traffic is unknown.',
          object('A stage of the ladder.', {
            percentage: percentage('Share of users.'),
            days: nullable(number('Days at this stage; null if it is never left.')),
            counted: counts('Counts in that time for a version as good as the previous one.'),
            stopsAt: nullable(
              count('Number of failed cases that stops the version; null if no number suffices.')
            ),
            growsUpTo: nullable(
              number(
                'Maximum failure rate at which the budget allows the next stage, 0 to 1; null for reviews, which let nothing grow.'
              )
            ),
          }),
          MAX_ENTRIES.rungs
        ),
      }),
      MAX_ENTRIES.metrics
    ),
  }
)
export type RolloutOutlookEntity = Static<typeof RolloutOutlookEntity>
