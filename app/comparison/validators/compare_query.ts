import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import { says, text } from '#foundation/api/operation/input'

export const compareQuery = vine.create({
  buildId: text(100).use(says('Id of the distribution build.')).optional(),
  releaseId: text(200).use(says('A release: the build it is to ship.')).optional(),
  baseBuildId: text(100)
    .use(says('Id of the build to compare with; that of the live version by default.'))
    .optional(),
})
export type CompareQuery = Infer<typeof compareQuery>
