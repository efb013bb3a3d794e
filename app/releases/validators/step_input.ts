import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import { anyText, oneOf, shownAs, text, boolean, webUrl } from '#foundation/api/operation/input'
import { REGRESSION_STATUSES } from '../vocabulary.js'

/** UpdateRegressionStatusRequestBody */
export const updateRegressionStatusValidator = vine.create({
  status: oneOf(REGRESSION_STATUSES),
  comment: anyText(10_000).nullable().optional(),
  url: webUrl(2000).nullable().optional(),
})
export type UpdateRegressionStatusInput = Infer<typeof updateRegressionStatusValidator>

/** UpdateReleaseStepApprovalRequestBody */
export const updateApprovalValidator = vine.create({
  approved: boolean(),
  comment: anyText(10_000).nullable().optional(),
})
export type UpdateApprovalInput = Infer<typeof updateApprovalValidator>

const storeText = () => anyText(5000).nullable().optional()

/** UpdateMetadataRequestBody; how long a text may be is the store's matter (`store_texts.ts`). */
export const updateStepMetadataValidator = vine.create({
  localizations: vine
    .array(
      vine
        .object({
          locale: text(35),
          whatsNew: storeText(),
          releaseNotes: storeText(),
          description: storeText(),
          keywords: storeText(),
          promotionalText: storeText(),
          supportUrl: storeText(),
          marketingUrl: storeText(),
          title: storeText(),
          shortDescription: storeText(),
          fullDescription: storeText(),
        })
        .use(shownAs({ $id: 'UpdateMetadataLocalizationRequestItem' }))
    )
    .minLength(1)
    .maxLength(200),
})
export type UpdateStepMetadataInput = Infer<typeof updateStepMetadataValidator>
