import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import { integer, says, text } from '#foundation/api/operation/input'

/** `GenerateReleaseNotesRequestBody` */
export const generateNotesValidator = vine.create({
  locale: text(35).use(says('BCP-47 tag of the language; `en-US` by default.')).optional(),
  tone: text(100)
    .use(says('How a model is to sound; without a model it changes nothing.'))
    .optional(),
  instructions: text(2000)
    .use(says('What a model is to mind besides; without a model it changes nothing.'))
    .optional(),
  maxLength: integer(20, 4000)
    .use(says('Most characters, in Unicode code points; never more than the store takes.'))
    .optional(),
})
export type GenerateNotesInput = Infer<typeof generateNotesValidator>
