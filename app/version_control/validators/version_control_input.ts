import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import { boolean, describedAs, text, trimmedText } from '#foundation/api/operation/input'
import { pageInput } from '#foundation/api/pages'

export const releaseTagsValidator = vine.create({
  ...pageInput,
  q: text(200)
    .use(describedAs('Only tags with this text in their names; case-insensitive.'))
    .optional(),
})
export type ReleaseTagsQuery = Infer<typeof releaseTagsValidator>

export const dismissPickValidator = vine.create({
  dismissed: boolean().use(describedAs('Whether to release without the commit.')),
  reason: trimmedText(1000)
    .use(
      describedAs('Reason for the timeline. Required to dismiss a commit; absent to revoke that.')
    )
    .optional()
    .requiredWhen('dismissed', '=', true),
})
export type DismissPickInput = Infer<typeof dismissPickValidator>

export const pickCandidatesValidator = vine.create({
  ...pageInput,
  releaseId: text(240)
    .use(describedAs('Commits that this release lacks; this or `baseTag`.'))
    .optional(),
  baseTag: text(256)
    .use(describedAs('Commits that this tag lacks; this or `releaseId`.'))
    .optional(),
  branch: text(256)
    .use(describedAs("Branch of the commits; the app's working branch by default."))
    .optional(),
  q: text(200)
    .use(describedAs('Only commits with this text in message, hash or author; case-insensitive.'))
    .optional(),
})
export type PickCandidatesQuery = Infer<typeof pickCandidatesValidator>
