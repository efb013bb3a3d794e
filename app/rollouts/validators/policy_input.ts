import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import {
  dateTime,
  integer,
  oneOf,
  describedAs,
  jsonSchema,
  text,
} from '#foundation/api/operation/input'
import { LOCAL_TIME } from '#planning/vocabulary'
import {
  CRASH_MEASURES,
  EVERY_DAY,
  HOTFIX_ROLLOUTS,
  MAX_LENGTHS,
  METRIC_SOURCES,
  MAX_ENTRIES,
  POLICY_BOUNDS,
  STOPS,
  WHEN_UNSURE,
} from '../vocabulary.js'

const number = (least: number, most: number) => vine.number({ strict: true }).min(least).max(most)

const rung = vine.object({
  percentage: number(...POLICY_BOUNDS.percentage).use(describedAs('Share of users.')),
  hours: integer(...POLICY_BOUNDS.hours).use(describedAs('Minimum duration, in hours.')),
})
const metric = vine.object({
  name: text(MAX_LENGTHS.name).use(describedAs('Name of the metric, such as `crashFreeSessions`.')),
  source: oneOf(METRIC_SOURCES)
    .use(
      describedAs(
        'Source of the counts: custom events (by default), providers of the app, or reviews in its store.'
      )
    )
    .optional(),
  total: text(MAX_LENGTHS.event)
    .use(describedAs('For `events` and `productAnalytics`: event that counts all cases.'))
    .optional(),
  bad: text(MAX_LENGTHS.event)
    .use(describedAs('Likewise: event that counts failed cases.'))
    .optional(),
  measure: oneOf(CRASH_MEASURES)
    .use(describedAs('For `crashMonitoring`: measure to compare.'))
    .optional(),
})
const guard = vine.object({
  metrics: vine
    .array(metric)
    .minLength(1)
    .maxLength(MAX_ENTRIES.metrics)
    .use(describedAs('Metrics to check.')),
  errorBound: number(...POLICY_BOUNDS.errorBound)
    .use(describedAs('Probability of halting a version without a drop, 0 to 1; 0.01 by default.'))
    .optional(),
  harmBudget: number(...POLICY_BOUNDS.harmBudget)
    .use(
      describedAs(
        'Maximum percentage of all users that a new version may harm at any time; 0.5 by default.'
      )
    )
    .optional(),
  whenUnsure: oneOf(WHEN_UNSURE)
    .use(describedAs('What a rollout does without data: `hold` (by default) or `grow`.'))
    .optional(),
  minimumSample: integer(...POLICY_BOUNDS.minimumSample)
    .use(describedAs('From earlier policies: accepted with a warning, without effect.'))
    .optional(),
  tolerance: number(...POLICY_BOUNDS.tolerance)
    .use(describedAs('From earlier policies: read as `harmBudget`, with a warning.'))
    .optional(),
})

const policy = vine.object({
  ladder: vine
    .array(rung)
    .minLength(1)
    .maxLength(MAX_ENTRIES.rungs)
    .use(
      describedAs(
        'Stages with percentages rising to 100. The App Store has its own and needs none.'
      )
    )
    .optional(),
  healthyHours: integer(...POLICY_BOUNDS.healthyHours)
    .use(describedAs('Maximum hours of a healthy stage; null or absent for its own duration.'))
    .nullable()
    .optional(),
  timezone: text(MAX_LENGTHS.timezone)
    .use(describedAs('Time zone of hours and days; UTC by default.'))
    .optional(),
  officeHours: vine
    .object({
      from: text(MAX_LENGTHS.time).regex(LOCAL_TIME).use(describedAs('Start, in local time.')),
      to: text(MAX_LENGTHS.time).regex(LOCAL_TIME).use(describedAs('End, in local time.')),
    })
    .use(describedAs('Hours in which rollouts may grow; null or absent for any time.'))
    .nullable()
    .optional(),
  weekdays: vine
    .array(integer(1, 7))
    .minLength(1)
    .maxLength(EVERY_DAY.length)
    .distinct()
    .use(describedAs('Weekdays on which rollouts may grow, 1 (Monday) to 7; all by default.'))
    .optional(),
  quietDays: vine
    .array(text(MAX_LENGTHS.day).use(jsonSchema({ format: 'date' })))
    .maxLength(MAX_ENTRIES.quietDays)
    .use(describedAs('Days on which rollouts do not grow.'))
    .optional(),
  finishWithinDays: integer(...POLICY_BOUNDS.finishWithinDays)
    .use(
      describedAs(
        'Days within which all users should have the version: stages are shortened, none is skipped, and people are alerted if this cannot be met. Null for no limit.'
      )
    )
    .nullable()
    .optional(),
  call: vine
    .array(text(MAX_LENGTHS.email))
    .maxLength(MAX_ENTRIES.called)
    .use(
      describedAs('E-mail addresses of people in the organization alerted when a rollout is held.')
    )
    .optional(),
  guard: guard
    .use(describedAs('How health is judged; null or absent if it is not.'))
    .nullable()
    .optional(),
  hotfix: oneOf(HOTFIX_ROLLOUTS)
    .use(
      describedAs(
        'How hotfixes are rolled out: to all users `atOnce` (by default), or up the `ladder` like others.'
      )
    )
    .optional(),
  stops: oneOf(STOPS)
    .use(
      describedAs(
        'What to stop if the version is unhealthy: its `own` rollout (by default), the `release` in all stores, or the version in all apps of the `appGroup`.'
      )
    )
    .optional(),
})

export const setPolicyValidator = vine.create({
  destinationId: text(100)
    .use(describedAs('Id of the destination; null or absent for the first store of the app.'))
    .nullable()
    .optional(),
  policy: policy.use(describedAs('The policy; null if people control rollouts.')).nullable(),
})
export type SetPolicyInput = Infer<typeof setPolicyValidator>

export const ofDestinationValidator = vine.create({
  destinationId: text(100)
    .use(describedAs('Id of the destination; by default the first store of the app.'))
    .optional(),
})
export interface OfDestinationQuery {
  destinationId?: string
}

export const outlookValidator = vine.create({
  destinationId: text(100)
    .use(describedAs('Id of the destination; by default the first store of the app.'))
    .optional(),
  from: dateTime()
    .use(describedAs('Start of the `closed` list; by default the start of a rollout.'))
    .optional(),
  to: dateTime()
    .use(describedAs('End of the `closed` list; by default when all users have the version.'))
    .optional(),
})
export interface OutlookQuery extends OfDestinationQuery {
  from?: string
  to?: string
}
