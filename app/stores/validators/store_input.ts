import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import { boolean, dateTime, says, text, trimmedText } from '#foundation/api/operation/input'
import { pageInput } from '#foundation/api/pages'
import { MOST_OF_REPLY } from '../vocabulary.js'

export const submitValidator = vine.create({
  submitWithIncompleteSteps: boolean()
    .use(says('Submit although required steps are not complete; false by default.'))
    .optional(),
  force: boolean().use(says('Another name of `submitWithIncompleteSteps`.')).optional(),
})
export type SubmitInput = Infer<typeof submitValidator>

export const takeOffValidator = vine.create({
  force: boolean().use(says('Release it at the share that it was submitted with.')).optional(),
})
export type TakeOffInput = Infer<typeof takeOffValidator>

export const selectBuildsValidator = vine.create({
  builds: vine
    .array(
      vine.object({
        destinationId: text(100)
          .use(says('Id of the destination; null or absent for the first store of the app.'))
          .nullable()
          .optional(),
        appStoreBuildId: text(100)
          .use(
            says(
              'Id of the build that ships there; null for none, `latest` for the newest, whichever comes.'
            )
          )
          .nullable(),
      })
    )
    .minLength(1)
    .maxLength(100)
    .use(says('The build of each store; stores that are not named keep theirs.')),
})
export type SelectBuildsInput = Infer<typeof selectBuildsValidator>

export const listReviewsValidator = vine.create({
  ...pageInput,
  version: text(64).use(says('Only reviews of this version, as the store spells it.')).optional(),
  rating: vine
    .number()
    .withoutDecimals()
    .min(1)
    .max(5)
    .use(says('Only reviews of so many stars.'))
    .optional(),
  locale: text(35).use(says('Only reviews in this language, as the store spells it.')).optional(),
  from: dateTime().use(says('Only reviews written then or later.')).optional(),
  to: dateTime().use(says('Only reviews written before.')).optional(),
})
export type ListReviewsQuery = Infer<typeof listReviewsValidator>

export const replyValidator = vine.create({
  text: trimmedText(MOST_OF_REPLY.apple).use(
    says('The answer: at most 5970 characters in the App Store, 350 on Google Play.')
  ),
})
export type ReplyInput = Infer<typeof replyValidator>

export const attachmentsValidator = vine.create({
  releaseId: text(240)
    .use(says('Id of the release they are for; absent for none in particular.'))
    .optional(),
})
export type AttachmentsData = Infer<typeof attachmentsValidator>

export const listStoreBuildsValidator = vine.create({ ...pageInput })
export type ListStoreBuildsQuery = Infer<typeof listStoreBuildsValidator>

export const linkBuildValidator = vine.create({
  ciBuildId: text(100)
    .use(says('Id of the build of CI that it is; null for none that is known.'))
    .nullable(),
})
export type LinkBuildInput = Infer<typeof linkBuildValidator>
