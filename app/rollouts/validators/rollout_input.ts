import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import { anyText, boolean, oneOf, describedAs } from '#foundation/api/operation/input'

const ROLLOUT_ACTIONS = ['pause', 'resume', 'halt', 'complete', 'set'] as const

export const steerRolloutValidator = vine.create({
  action: oneOf(ROLLOUT_ACTIONS).use(
    describedAs(
      'Action: stop (`pause` and `halt` are equivalent), resume, complete, or set the percentage.'
    )
  ),
  percentage: vine
    .number({ strict: true })
    .min(0.01)
    .max(100)
    .use(describedAs('With `set`: target share of users; not lower than now.'))
    .optional(),
  reason: anyText(1000)
    .use(
      describedAs(
        'Reason for a `pause` or `halt`; shown in the timeline, `whyNotMoving` and chats. Null or absent for none.'
      )
    )
    .nullable()
    .optional(),
})
export type SteerRolloutInput = Infer<typeof steerRolloutValidator>

export const redButtonValidator = vine.create({
  reason: anyText(1000)
    .use(describedAs('Reason; shown in the timeline and the triage issue. Null for none.'))
    .nullable()
    .optional(),
  pair: boolean().use(describedAs('Whether to stop its pair, too.')).optional(),
})
export type RedButtonInput = Infer<typeof redButtonValidator>
