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
  hours: integer(...POLICY_BOUNDS.hours).use(says('Hours that it lasts at least.')),
})
const metric = vine.object({
  name: text(LONGEST.name).use(says('What it is called: `crashFreeSessions`.')),
  source: oneOf(METRIC_SOURCES)
    .use(
      says(
        'Who counts: custom events (unless given), providers of the app, or reviews in its store.'
      )
    )
    .optional(),
  total: text(LONGEST.event)
    .use(says('Of `events` and `productAnalytics`: those that say how many there were.'))
    .optional(),
  bad: text(LONGEST.event).use(says('The same of how many went wrong.')).optional(),
  measure: oneOf(CRASH_MEASURES).use(says('Of `crashMonitoring`: what is compared.')).optional(),
})
const guard = vine.object({
  metrics: vine.array(metric).minLength(1).maxLength(MOST.metrics).use(says('What is looked at.')),
  errorBound: number(...POLICY_BOUNDS.errorBound)
    .use(says('How often a version without a drop may be halted, 0 to 1; 0.01 unless given.'))
    .optional(),
  harmBudget: number(...POLICY_BOUNDS.harmBudget)
    .use(
      says(
        'Percent of all users that a new version may harm at most, at any time; 0.5 unless given.'
      )
    )
    .optional(),
  whenUnsure: oneOf(WHEN_UNSURE)
    .use(says('What a rollout does without any data: `hold` (unless given) or `grow`.'))
    .optional(),
  minimumSample: integer(...POLICY_BOUNDS.minimumSample)
    .use(says('Of earlier policies: it is read, warned of, and means nothing.'))
    .optional(),
  tolerance: number(...POLICY_BOUNDS.tolerance)
    .use(says('Of earlier policies: it is read as `harmBudget`, and warned of.'))
    .optional(),
})

const policy = vine.object({
  ladder: vine
    .array(rung)
    .minLength(1)
    .maxLength(MOST.rungs)
    .use(
      says('Percentages that rise to 100. The App Store has a ladder of its own and needs none.')
    )
    .optional(),
  healthyHours: integer(...POLICY_BOUNDS.healthyHours)
    .use(says('Hours that a rung lasts at most while it is healthy; null or absent for its own.'))
    .nullable()
    .optional(),
  timezone: text(LONGEST.timezone)
    .use(says('Time zone of hours and days; UTC unless given.'))
    .optional(),
  officeHours: vine
    .object({
      from: text(LONGEST.time).regex(LOCAL_TIME).use(says('From this local time on.')),
      to: text(LONGEST.time).regex(LOCAL_TIME).use(says('Up to this local time.')),
    })
    .use(says('When it may grow; null or absent for any time.'))
    .nullable()
    .optional(),
  weekdays: vine
    .array(integer(1, 7))
    .minLength(1)
    .maxLength(EVERY_DAY.length)
    .distinct()
    .use(says('Days on which it may grow, 1 (Monday) to 7; all unless given.'))
    .optional(),
  quietDays: vine
    .array(text(LONGEST.day).use(shownAs({ format: 'date' })))
    .maxLength(MOST.quietDays)
    .use(says('Days on which it does not grow.'))
    .optional(),
  finishWithinDays: integer(...POLICY_BOUNDS.finishWithinDays)
    .use(
      says(
        'Days within which it is to be with all: stays are shortened, no rung is skipped, and people are called where it cannot be kept. Null for no date.'
      )
    )
    .nullable()
    .optional(),
  call: vine
    .array(text(LONGEST.email))
    .maxLength(MOST.called)
    .use(says('E-mail addresses of people of the organization who are called when it is held.'))
    .optional(),
  guard: guard.use(says('How health is judged; null or absent for not.')).nullable().optional(),
  hotfix: oneOf(HOTFIX_ROLLOUTS)
    .use(
      says(
        'How hotfixes go to users: to all `atOnce` (unless given), or up the `ladder` as others.'
      )
    )
    .optional(),
  stops: oneOf(STOPS)
    .use(
      says(
        'What stops where it is unhealthy: its `own` rollout (unless given), the `release` in all stores, or that version in all apps of the `appGroup`.'
      )
    )
    .optional(),
})

export const setPolicyValidator = vine.create({
  destinationId: text(100)
    .use(says('Id of the destination; null or absent for the first store of the app.'))
    .nullable()
    .optional(),
  policy: policy.use(says('The policy; null for none: then people drive rollouts.')).nullable(),
})
export type SetPolicyInput = Infer<typeof setPolicyValidator>

export const ofDestinationValidator = vine.create({
  destinationId: text(100)
    .use(says('Id of the destination; the first store of the app unless given.'))
    .optional(),
})
export interface OfDestinationQuery {
  destinationId?: string
}

export const outlookValidator = vine.create({
  destinationId: text(100)
    .use(says('Id of the destination; the first store of the app unless given.'))
    .optional(),
  from: dateTime()
    .use(says('From when on `closed` is listed; from the begin of a rollout unless given.'))
    .optional(),
  to: dateTime().use(says('Until when; until all users have it unless given.')).optional(),
})
export interface OutlookQuery extends OfDestinationQuery {
  from?: string
  to?: string
}
