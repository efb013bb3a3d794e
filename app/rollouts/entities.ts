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
  enumOf,
} from '#foundation/core/schemas'
import {
  CRASH_MEASURES,
  EVERY_DAY,
  HOTFIX_ROLLOUTS,
  MAX_LENGTHS,
  METRIC_SOURCES,
  MAX_ENTRIES,
  STOPS,
  WHEN_UNSURE,
} from './vocabulary.js'

const number = (description: string) => Type.Number({ description, minimum: 0 })

export const RolloutPolicyEntity = entity(
  'RolloutPolicyEntity',
  'How rollouts of an app grow automatically in one of its stores.',
  {
    destinationId: nullable(id('Id of the destination; null for the first store of the app.')),
    policy: nullable(
      object('The policy; null if people control rollouts.', {
        ladder: list(
          'Stages with percentages rising to 100; empty for the App Store, which has its own.',
          object('A stage of the ladder.', {
            percentage: percentage('Share of users.'),
            hours: count('Minimum duration, in hours.'),
          }),
          MAX_ENTRIES.rungs
        ),
        healthyHours: nullable(
          count('Maximum hours of a healthy stage; null for its own duration.')
        ),
        timezone: nonEmpty('Time zone of hours and days.', MAX_LENGTHS.timezone),
        officeHours: nullable(
          object('Hours in which rollouts may grow; null for any time.', {
            from: nonEmpty('Start, in local time.', MAX_LENGTHS.time),
            to: nonEmpty('End, in local time.', MAX_LENGTHS.time),
          })
        ),
        weekdays: list(
          'Weekdays on which rollouts may grow, 1 (Monday) to 7.',
          count('A day.'),
          EVERY_DAY.length
        ),
        quietDays: list(
          'Days on which rollouts do not grow.',
          nonEmpty('A day.', MAX_LENGTHS.day),
          MAX_ENTRIES.quietDays
        ),
        finishWithinDays: nullable(
          count(
            'Days within which all users should have the version; stages are shortened for this. Null for no limit.'
          )
        ),
        call: list(
          'People alerted when a rollout is held.',
          email('An e-mail address.'),
          MAX_ENTRIES.called
        ),
        guard: nullable(
          object('How health is judged; null if it is not.', {
            metrics: list(
              'Metrics to check.',
              object('A success rate.', {
                name: nonEmpty('Name of the metric.', MAX_LENGTHS.name),
                source: enumOf(METRIC_SOURCES, 'Source of the counts.'),
                total: Type.Optional(nonEmpty('Event that counts all cases.', MAX_LENGTHS.event)),
                bad: Type.Optional(nonEmpty('Event that counts failed cases.', MAX_LENGTHS.event)),
                measure: Type.Optional(
                  enumOf(CRASH_MEASURES, 'Crash monitoring measure to compare.')
                ),
              }),
              MAX_ENTRIES.metrics
            ),
            errorBound: number('Probability of halting a version without a drop, 0 to 1.'),
            harmBudget: number('Maximum percentage of all users that a new version may harm.'),
            whenUnsure: enumOf(WHEN_UNSURE, 'What a rollout does without data.'),
          })
        ),
        hotfix: enumOf(HOTFIX_ROLLOUTS, 'How hotfixes are rolled out.'),
        stops: enumOf(STOPS, 'What to stop if the version is unhealthy.'),
      })
    ),
    warnings: Type.Optional(
      list(
        'Warnings about the request: settings accepted for earlier policies, settings without effect, and releases that go out as submitted.',
        object('A warning.', {
          code: enumOf(
            ['old_setting', 'no_meaning', 'submitted_before'],
            'Subject of the warning.'
          ),
          message: nonEmpty('Human-readable message.', 1000),
        }),
        10
      )
    ),
  }
)
export type RolloutPolicyEntity = Static<typeof RolloutPolicyEntity>
