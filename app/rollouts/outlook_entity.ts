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
  words,
} from '#foundation/core/schemas'
import { courseMembers } from './course_entity.js'
import { RolloutPolicyEntity } from './entities.js'
import { DECIDED_BY } from './policy/outlook.js'
import { LONGEST, MOST } from './vocabulary.js'

const number = (description: string) => Type.Number({ description, minimum: 0 })

const counts = (description: string) =>
  object(description, {
    of: number('How many are counted.'),
    bad: number('How many of them go wrong.'),
  })

/** The course of a rollout by a policy, as far as it is known. */
export const RolloutOutlookEntity = entity(
  'RolloutOutlookEntity',
  'How a rollout goes by a policy if it begins as soon as it may and stays healthy.',
  {
    policy: described(
      'The policy, complete; null if people drive.',
      RolloutPolicyEntity.properties.policy
    ),
    isApple: flag('Whether the rungs are the days of the App Store.'),
    startsAt: nullable(instant('When it begins, in UTC; null if people drive.')),
    rungs: list(
      'The rungs, from the first share on; empty if people drive.',
      object('A rung.', {
        percentage: percentage('Share of users.'),
        hours: count('Hours that it lasts at least.'),
        expectedAt: nullable(
          instant('When it is reached, in UTC; null if the numbers never justify it.')
        ),
        because: words(DECIDED_BY, 'What decides when it is reached.'),
      }),
      MOST.rungs
    ),
    closed: described(
      'When nothing grows meanwhile, or in the time that was asked for.',
      courseMembers.forecast.properties.closed
    ),
    metrics: list(
      'What the guard will count; empty without one.',
      object('A metric.', {
        name: nonEmpty('What it is called.', LONGEST.name),
        unit: words(['users', 'sessions', 'reviews'], 'What is counted.'),
        knownDays: count('Days of the app in this store whose counts are known.'),
        daily: nullable(
          counts('A day on which all users have a version; null if too few days are known.')
        ),
        harmedAtMost: nullable(
          number('How many of a day a new version may harm; null if that is unknown.')
        ),
        rungs: list(
          'What is counted on each rung but the last, up to the first that is never left; empty if the traffic is unknown.',
          object('A rung.', {
            percentage: percentage('Share of users.'),
            days: nullable(number('Days on it; null if it is never left.')),
            counted: counts('What is counted meanwhile of a version as good as the one before.'),
            stopsAt: nullable(
              count('How many have to go wrong until it is stopped; null if no number would do.')
            ),
            growsUpTo: nullable(
              number(
                'The share that may go wrong at most if the budget is to allow the next rung, 0 to 1; null for reviews, which let nothing grow.'
              )
            ),
          }),
          MOST.rungs
        ),
      }),
      MOST.metrics
    ),
  }
)
export type RolloutOutlookEntity = Static<typeof RolloutOutlookEntity>
