import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import { boolean, says, text } from '#foundation/api/operation/input'

/** `UpdateFeatureFlagRequestBody` */
export const switchFlagValidator = vine.create({
  enabled: boolean().use(says('Whether it is to be on.')),
  etag: text(1000)
    .use(
      says(
        'What it was seen as, by its `etag`: it is switched only while it is that; null or absent, as it is just now.'
      )
    )
    .nullable()
    .optional(),
})
export type SwitchFlagInput = Infer<typeof switchFlagValidator>
