import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import { integer, describedAs, text } from '#foundation/api/operation/input'

/** `GenerateReleaseNotesRequestBody` */
export const generateNotesValidator = vine.create({
  locale: text(35).use(describedAs('BCP-47 tag of the language; `en-US` by default.')).optional(),
  tone: text(100)
    .use(describedAs('Tone for the model; without a model it has no effect.'))
    .optional(),
  instructions: text(2000)
    .use(describedAs('Further instructions for the model; without a model they have no effect.'))
    .optional(),
  maxLength: integer(20, 4000)
    .use(describedAs('Maximum length in Unicode code points; never more than the store accepts.'))
    .optional(),
})
export type GenerateNotesInput = Infer<typeof generateNotesValidator>
