import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import { dateTime, integer, oneOf, says, shownAs, text } from '#foundation/api/operation/input'
import { LOCAL_TIME } from '#planning/vocabulary'
import {
  CRASH_MEASURES,
  EVERY_DAY,
  HOTFIX_ROLLOUTS,
  LONGEST,
  METRIC_SOURCES,
  MOST,
  POLICY_BOUNDS,
  STOPS,
  WHEN_UNSURE,
} from '../vocabulary.js'

const number = (least: number, most: number) => vine.number({ strict: true }).min(least).max(most)

const rung = vine.object({
  percentage: number(...POLICY_BOUNDS.percentage).use(says('Share of users.')),
  hours: integer(...POLICY_BOUNDS.hours).use(says('Minimum duration, in hours.')),
})
const metric = vine.object({
  name: text(LONGEST.name).use(says('Name of the metric, such as `crashFreeSessions`.')),
  source: oneOf(METRIC_SOURCES)
    .use(
      says(
        'Source of the counts: custom events (by default), providers of the app, or reviews in its store.'
      )
    )
    .optional(),
  total: text(LONGEST.event)
    .use(says('For `events` and `productAnalytics`: event that counts all cases.'))
    .optional(),
  bad: text(LONGEST.event).use(says('Likewise: event that counts failed cases.')).optional(),
  measure: oneOf(CRASH_MEASURES).use(says('For `crashMonitoring`: measure to compare.')).optional(),
})
const guard = vine.object({
  metrics: vine.array(metric).minLength(1).maxLength(MOST.metrics).use(says('Metrics to check.')),
  errorBound: number(...POLICY_BOUNDS.errorBound)
    .use(says('Probability of halting a version without a drop, 0 to 1; 0.01 by default.'))
    .optional(),
  harmBudget: number(...POLICY_BOUNDS.harmBudget)
    .use(
      says(
        'Maximum percentage of all users that a new version may harm at any time; 0.5 by default.'
      )
    )
    .optional(),
  whenUnsure: oneOf(WHEN_UNSURE)
    .use(says('What a rollout does without data: `hold` (by default) or `grow`.'))
    .optional(),
  minimumSample: integer(...POLICY_BOUNDS.minimumSample)
    .use(says('From earlier policies: accepted with a warning, without effect.'))
    .optional(),
  tolerance: number(...POLICY_BOUNDS.tolerance)
    .use(says('From earlier policies: read as `harmBudget`, with a warning.'))
    .optional(),
})

const policy = vine.object({
  ladder: vine
    .array(rung)
    .minLength(1)
    .maxLength(MOST.rungs)
    .use(says('Stages with percentages rising to 100. The App Store has its own and needs none.'))
    .optional(),
  healthyHours: integer(...POLICY_BOUNDS.healthyHours)
    .use(says('Maximum hours of a healthy stage; null or absent for its own duration.'))
    .nullable()
    .optional(),
  timezone: text(LONGEST.timezone)
    .use(says('Time zone of hours and days; UTC by default.'))
    .optional(),
  officeHours: vine
    .object({
      from: text(LONGEST.time).regex(LOCAL_TIME).use(says('Start, in local time.')),
      to: text(LONGEST.time).regex(LOCAL_TIME).use(says('End, in local time.')),
    })
    .use(says('Hours in which rollouts may grow; null or absent for any time.'))
    .nullable()
    .optional(),
  weekdays: vine
    .array(integer(1, 7))
    .minLength(1)
    .maxLength(EVERY_DAY.length)
    .distinct()
    .use(says('Weekdays on which rollouts may grow, 1 (Monday) to 7; all by default.'))
    .optional(),
  quietDays: vine
    .array(text(LONGEST.day).use(shownAs({ format: 'date' })))
    .maxLength(MOST.quietDays)
    .use(says('Days on which rollouts do not grow.'))
    .optional(),
  finishWithinDays: integer(...POLICY_BOUNDS.finishWithinDays)
    .use(
      says(
        'Days within which all users should have the version: stages are shortened, none is skipped, and people are alerted if this cannot be met. Null for no limit.'
      )
    )
    .nullable()
    .optional(),
  call: vine
    .array(text(LONGEST.email))
    .maxLength(MOST.called)
    .use(says('E-mail addresses of people in the organization alerted when a rollout is held.'))
    .optional(),
  guard: guard
    .use(says('How health is judged; null or absent if it is not.'))
    .nullable()
    .optional(),
  hotfix: oneOf(HOTFIX_ROLLOUTS)
    .use(
      says(
        'How hotfixes are rolled out: to all users `atOnce` (by default), or up the `ladder` like others.'
      )
    )
    .optional(),
  stops: oneOf(STOPS)
    .use(
      says(
        'What to stop if the version is unhealthy: its `own` rollout (by default), the `release` in all stores, or the version in all apps of the `appGroup`.'
      )
    )
    .optional(),
})

export const setPolicyValidator = vine.create({
  destinationId: text(100)
    .use(says('Id of the destination; null or absent for the first store of the app.'))
    .nullable()
    .optional(),
  policy: policy.use(says('The policy; null if people control rollouts.')).nullable(),
})
export type SetPolicyInput = Infer<typeof setPolicyValidator>

export const ofDestinationValidator = vine.create({
  destinationId: text(100)
    .use(says('Id of the destination; by default the first store of the app.'))
    .optional(),
})
export interface OfDestinationQuery {
  destinationId?: string
}

export const outlookValidator = vine.create({
  destinationId: text(100)
    .use(says('Id of the destination; by default the first store of the app.'))
    .optional(),
  from: dateTime()
    .use(says('Start of the `closed` list; by default the start of a rollout.'))
    .optional(),
  to: dateTime()
    .use(says('End of the `closed` list; by default when all users have the version.'))
    .optional(),
})
export interface OutlookQuery extends OfDestinationQuery {
  from?: string
  to?: string
}
