import { Type, type Static } from '@sinclair/typebox'
import {
  count,
  email,
  entity,
  id,
  list,
  nonEmpty,
  nullable,
  object,
  percentage,
  words,
} from '#foundation/core/schemas'
import { CRASH_MEASURES, EVERY_DAY, LONGEST, METRIC_SOURCES, MOST, STOPS } from './vocabulary.js'

const number = (description: string) => Type.Number({ description, minimum: 0 })

export const RolloutPolicyEntity = entity(
  'RolloutPolicyEntity',
  'How rollouts of an app grow in one of its stores where nobody looks.',
  {
    destinationId: nullable(id('Id of the destination; null for the first store of the app.')),
    policy: nullable(
      object('The policy; null where people drive rollouts.', {
        ladder: list(
          'The percentages, rising to 100.',
          object('A rung.', {
            percentage: percentage('Share of users.'),
            hours: count('Hours that it lasts at least.'),
          }),
          MOST.rungs
        ),
        healthyHours: nullable(
          count('Hours that a rung lasts at most while it is healthy; null for its own.')
        ),
        timezone: nonEmpty('Time zone of hours and days.', LONGEST.timezone),
        officeHours: nullable(
          object('When it may grow; null for any time.', {
            from: nonEmpty('From this local time on.', LONGEST.time),
            to: nonEmpty('Up to this local time.', LONGEST.time),
          })
        ),
        weekdays: list(
          'Days on which it may grow, 1 (Monday) to 7.',
          count('A day.'),
          EVERY_DAY.length
        ),
        quietDays: list(
          'Days on which it does not grow.',
          nonEmpty('A day.', LONGEST.day),
          MOST.quietDays
        ),
        finishWithinDays: nullable(
          count('Days after which it goes to all; null holds it until somebody does.')
        ),
        call: list('Whoever is named when it is held.', email('An e-mail address.'), MOST.called),
        guard: nullable(
          object('How health is judged; null for not.', {
            metrics: list(
              'What is looked at.',
              object('A share of what went well.', {
                name: nonEmpty('What it is called.', LONGEST.name),
                source: words(METRIC_SOURCES, 'Who counts.'),
                total: Type.Optional(
                  nonEmpty('Events that say how many there were.', LONGEST.event)
                ),
                bad: Type.Optional(nonEmpty('Events that say how many went wrong.', LONGEST.event)),
                measure: Type.Optional(
                  words(CRASH_MEASURES, 'What of crash monitoring is compared.')
                ),
              }),
              MOST.metrics
            ),
            errorBound: number('How often a version without a drop may be halted, 0 to 1.'),
            minimumSample: count('How many there have to be before anything is said.'),
            tolerance: number('Percentage points that a healthy version surely did not drop.'),
          })
        ),
        stops: words(STOPS, 'What stops where it is found unhealthy.'),
      })
    ),
  }
)
export type RolloutPolicyEntity = Static<typeof RolloutPolicyEntity>
