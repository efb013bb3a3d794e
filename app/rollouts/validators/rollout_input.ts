import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import { anyText, boolean, oneOf, says } from '#foundation/api/operation/input'

const ROLLOUT_ACTIONS = ['pause', 'resume', 'halt', 'complete', 'set'] as const

export const steerRolloutValidator = vine.create({
  action: oneOf(ROLLOUT_ACTIONS).use(
    says(
      'What to do: stop it (`pause` and `halt` are one), let it go on, give it to all, or set its percentage.'
    )
  ),
  percentage: vine
    .number({ strict: true })
    .min(0.01)
    .max(100)
    .use(says('With `set`: the share of users it is to reach; not lower than now.'))
    .optional(),
  reason: anyText(1000)
    .use(
      says(
        'Why, with `pause` and `halt`; the timeline, `whyNotMoving` and chats show it. Null or absent for no reason.'
      )
    )
    .nullable()
    .optional(),
})
export type SteerRolloutInput = Infer<typeof steerRolloutValidator>

export const redButtonValidator = vine.create({
  reason: anyText(1000)
    .use(says('Why; the timeline and the triage issue show it. Null for no reason.'))
    .nullable()
    .optional(),
  pair: boolean().use(says('Its pair, too.')).optional(),
})
export type RedButtonInput = Infer<typeof redButtonValidator>
