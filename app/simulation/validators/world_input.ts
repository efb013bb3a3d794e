import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import { says, text } from '#foundation/api/operation/input'
import { SPAN } from '../duration.js'

export const advanceWorldValidator = vine.create({
  span: text(40)
    .regex(SPAN)
    .use(says('How long, such as 90m, 2h30m or 3d, or until when in UTC; at most a year.')),
})
export type AdvanceWorldInput = Infer<typeof advanceWorldValidator>

export const resetWorldValidator = vine.create({
  seed: text(100)
    .use(says('What chance follows from; that of the world before unless given.'))
    .optional(),
})
export type ResetWorldInput = Infer<typeof resetWorldValidator>
