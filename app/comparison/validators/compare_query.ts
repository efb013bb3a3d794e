import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import { describedAs, text } from '#foundation/api/operation/input'

export const compareQuery = vine.create({
  buildId: text(100).use(describedAs('Id of the distribution build.')).optional(),
  releaseId: text(200).use(describedAs('Id of a release, for the build it will ship.')).optional(),
  destinationId: text(100)
    .use(describedAs('Id of a destination, for the build of its store; by default the first one.'))
    .optional(),
  baseBuildId: text(100)
    .use(describedAs('Id of the build to compare with; by default that of the live version.'))
    .optional(),
})
export type CompareQuery = Infer<typeof compareQuery>
