import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import { describedAs, text } from '#foundation/api/operation/input'

export const whereIsValidator = vine.create({
  commit: vine
    .string()
    .maxLength(64)
    .regex(/^[0-9a-fA-F]{7,64}$/)
    .use(
      describedAs('Hash of a commit, or its beginning; alternative to `pullRequest` and `ticket`.')
    )
    .optional(),
  pullRequest: vine
    .number()
    .withoutDecimals()
    .min(1)
    .max(2_147_483_647)
    .use(describedAs('Number of a pull request; alternative to `commit` and `ticket`.'))
    .optional(),
  ticket: text(200)
    .use(describedAs('Key of a ticket; alternative to `commit` and `pullRequest`.'))
    .optional(),
})
export type WhereIsQuery = Infer<typeof whereIsValidator>
