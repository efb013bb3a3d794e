import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import { boolean, dateTime, describedAs, text, trimmedText } from '#foundation/api/operation/input'
import { pageInput } from '#foundation/api/pages'
import { MAX_OF_REPLY } from '../vocabulary.js'

export const submitValidator = vine.create({
  submitWithIncompleteSteps: boolean()
    .use(describedAs('Whether to submit despite incomplete required steps; false by default.'))
    .optional(),
  force: boolean().use(describedAs('Alias of `submitWithIncompleteSteps`.')).optional(),
})
export type SubmitInput = Infer<typeof submitValidator>

export const takeOffValidator = vine.create({
  force: boolean().use(describedAs('Whether to release at the submitted share.')).optional(),
})
export type TakeOffInput = Infer<typeof takeOffValidator>

export const selectBuildsValidator = vine.create({
  builds: vine
    .array(
      vine.object({
        destinationId: text(100)
          .use(describedAs('Id of the destination; null or absent for the first store of the app.'))
          .nullable()
          .optional(),
        appStoreBuildId: text(100)
          .use(
            describedAs('Id of the build to ship; null for none, `latest` for always the newest.')
          )
          .nullable(),
      })
    )
    .minLength(1)
    .maxLength(100)
    .use(describedAs('The build of each store; unnamed stores keep theirs.')),
})
export type SelectBuildsInput = Infer<typeof selectBuildsValidator>

export const listReviewsValidator = vine.create({
  ...pageInput,
  version: text(64)
    .use(describedAs('Only reviews of this version, as the store spells it.'))
    .optional(),
  rating: vine
    .number()
    .withoutDecimals()
    .min(1)
    .max(5)
    .use(describedAs('Only reviews with this many stars.'))
    .optional(),
  locale: text(35)
    .use(describedAs('Only reviews in this language, as the store spells it.'))
    .optional(),
  from: dateTime().use(describedAs('Only reviews written at or after this time.')).optional(),
  to: dateTime().use(describedAs('Only reviews written before this time.')).optional(),
})
export type ListReviewsQuery = Infer<typeof listReviewsValidator>

export const replyValidator = vine.create({
  text: trimmedText(MAX_OF_REPLY.apple).use(
    describedAs('Text of the reply: at most 5970 characters in the App Store, 350 on Google Play.')
  ),
})
export type ReplyInput = Infer<typeof replyValidator>

export const attachmentsValidator = vine.create({
  releaseId: text(240)
    .use(describedAs('Id of the release the files are for; absent for none in particular.'))
    .optional(),
})
export type AttachmentsData = Infer<typeof attachmentsValidator>

export const listStoreBuildsValidator = vine.create({ ...pageInput })
export type ListStoreBuildsQuery = Infer<typeof listStoreBuildsValidator>

export const linkBuildValidator = vine.create({
  ciBuildId: text(100).use(describedAs('Id of the CI build; null to remove the link.')).nullable(),
})
export type LinkBuildInput = Infer<typeof linkBuildValidator>
