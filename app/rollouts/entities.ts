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
import {
  CRASH_MEASURES,
  EVERY_DAY,
  HOTFIX_ROLLOUTS,
  LONGEST,
  METRIC_SOURCES,
  MOST,
  STOPS,
  WHEN_UNSURE,
} from './vocabulary.js'

const number = (description: string) => Type.Number({ description, minimum: 0 })

export const RolloutPolicyEntity = entity(
  'RolloutPolicyEntity',
  'How rollouts of an app grow in one of its stores where nobody looks.',
  {
    destinationId: nullable(id('Id of the destination; null for the first store of the app.')),
    policy: nullable(
      object('The policy; null if people drive rollouts.', {
        ladder: list(
          'The percentages, rising to 100; none on the App Store, whose ladder is its own.',
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
          count(
            'Days within which it is to be with all; rungs are shortened for it. Null for no date.'
          )
        ),
        call: list('Whoever is called when it is held.', email('An e-mail address.'), MOST.called),
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
            harmBudget: number('Percent of all users that a new version may harm at most.'),
            whenUnsure: words(WHEN_UNSURE, 'What becomes of a rollout without any data.'),
          })
        ),
        hotfix: words(HOTFIX_ROLLOUTS, 'How hotfixes go to users.'),
        stops: words(STOPS, 'What stops where it is found unhealthy.'),
      })
    ),
    warnings: Type.Optional(
      list(
        'What is to be known of what was sent: settings that are read for the sake of earlier policies, what means nothing, and releases that go out as they were submitted.',
        object('A warning.', {
          code: words(['old_setting', 'no_meaning', 'submitted_before'], 'What it is about.'),
          message: nonEmpty('The same for people.', 1000),
        }),
        10
      )
    ),
  }
)
export type RolloutPolicyEntity = Static<typeof RolloutPolicyEntity>
