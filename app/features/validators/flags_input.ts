import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import { boolean, describedAs, text } from '#foundation/api/operation/input'

/** `UpdateFeatureFlagRequestBody` */
export const switchFlagValidator = vine.create({
  enabled: boolean().use(describedAs('Whether the flag is to be on.')),
  etag: text(1000)
    .use(
      describedAs(
        'The `etag` that was read: the flag is switched only if it is still current; null or absent for the current one.'
      )
    )
    .nullable()
    .optional(),
})
export type SwitchFlagInput = Infer<typeof switchFlagValidator>
