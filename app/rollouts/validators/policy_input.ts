import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import { integer, oneOf, says, shownAs, text } from '#foundation/api/operation/input'
import { LOCAL_TIME } from '#planning/vocabulary'
import {
  CRASH_MEASURES,
  EVERY_DAY,
  LONGEST,
  METRIC_SOURCES,
  MOST,
  POLICY_BOUNDS,
  STOPS,
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
  minimumSample: integer(...POLICY_BOUNDS.minimumSample)
    .use(says('How many there have to be before anything is said; 1000 unless given.'))
    .optional(),
  tolerance: number(...POLICY_BOUNDS.tolerance)
    .use(says('Percentage points that a healthy version surely did not drop; 0.25 unless given.'))
    .optional(),
})

const policy = vine.object({
  ladder: vine
    .array(rung)
    .minLength(1)
    .maxLength(MOST.rungs)
    .use(says('Percentages that rise to 100.')),
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
    .use(says('Days after which it goes to all; null or absent holds it until somebody does.'))
    .nullable()
    .optional(),
  call: vine
    .array(text(LONGEST.email))
    .maxLength(MOST.called)
    .use(says('E-mail addresses of whoever is named when it is held.'))
    .optional(),
  guard: guard.use(says('How health is judged; null or absent for not.')).nullable().optional(),
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
