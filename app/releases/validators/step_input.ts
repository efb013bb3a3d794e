import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import {
  anyText,
  oneOf,
  describedAs,
  jsonSchema,
  text,
  boolean,
  webUrl,
} from '#foundation/api/operation/input'
import { REGRESSION_STATUSES } from '../vocabulary.js'

const comment = () =>
  anyText(10_000)
    .use(describedAs('Comment stored with the run; null removes it.'))
    .nullable()
    .optional()

/** `UpdateRegressionStatusRequestBody` */
export const updateRegressionStatusValidator = vine.create({
  status: oneOf(REGRESSION_STATUSES).use(describedAs('Result of regression testing.')),
  comment: comment(),
  url: webUrl(2000)
    .use(describedAs('URL of the test report, http or https; null removes it.'))
    .nullable()
    .optional(),
})
export type UpdateRegressionStatusInput = Infer<typeof updateRegressionStatusValidator>

/** `UpdateReleaseStepApprovalRequestBody` */
export const updateApprovalValidator = vine.create({
  approved: boolean().use(describedAs('True approves, false withdraws the approval.')),
  comment: comment(),
})
export type UpdateApprovalInput = Infer<typeof updateApprovalValidator>

const storeText = (description: string) =>
  anyText(5000)
    .use(describedAs(`${description}; null removes it.`))
    .nullable()
    .optional()

/** `UpdateMetadataRequestBody`. The limits of texts depend on the store (`store_texts.ts`). */
export const updateStepMetadataValidator = vine.create({
  localizations: vine
    .array(
      vine
        .object({
          locale: text(35).use(describedAs('BCP-47 tag of the language, such as `en-US`.')),
          whatsNew: storeText("What's new: at most 4000 characters (Apple) or 500 (Google)"),
          releaseNotes: storeText('Alias of `whatsNew`'),
          description: storeText('Description, Apple: at most 4000 characters'),
          keywords: storeText('Keywords, Apple: at most 100 characters'),
          promotionalText: storeText('Promotional text, Apple: at most 170 characters'),
          supportUrl: storeText('Support URL, Apple: at most 255 characters'),
          marketingUrl: storeText('Marketing URL, Apple: at most 255 characters'),
          title: storeText('Title, Google: at most 30 characters'),
          shortDescription: storeText('Short description, Google: at most 80 characters'),
          fullDescription: storeText('Full description, Google: at most 4000 characters'),
        })
        .use(
          jsonSchema({
            $id: 'UpdateMetadataLocalizationRequestItem',
            description: 'The store texts of one locale.',
          })
        )
    )
    .minLength(1)
    .maxLength(200)
    .use(describedAs('Texts to add or change, by locale; others stay unchanged.')),
})
export type UpdateStepMetadataInput = Infer<typeof updateStepMetadataValidator>
