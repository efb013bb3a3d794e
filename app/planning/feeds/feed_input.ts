import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import { describedAs, text } from '#foundation/api/operation/input'

export const createCalendarFeedValidator = vine.create({
  appId: text(100).use(describedAs('Id of the app to show; all apps if absent.')).optional(),
  userId: text(320)
    .use(describedAs('Id or e-mail address of the pilot whose releases to show; all if absent.'))
    .optional(),
})
export type CreateCalendarFeedInput = Infer<typeof createCalendarFeedValidator>
