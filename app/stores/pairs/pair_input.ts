import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import { boolean, describedAs, text } from '#foundation/api/operation/input'

export const joinValidator = vine.create({
  releaseId: text(200).use(describedAs('Id of the release for the other platform.')),
  managedPublishing: boolean()
    .use(
      describedAs(
        'True if managed publishing is on in the Play Console; needed until Google Play holds the version.'
      )
    )
    .optional(),
})
export type JoinInput = Infer<typeof joinValidator>
