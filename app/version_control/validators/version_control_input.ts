import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import { boolean, says, text, trimmedText } from '#foundation/api/operation/input'
import { pageInput } from '#foundation/api/pages'

export const releaseTagsValidator = vine.create({
  ...pageInput,
  q: text(200).use(says('Only tags whose names hold this text, in whatever case.')).optional(),
})
export type ReleaseTagsQuery = Infer<typeof releaseTagsValidator>

export const dismissPickValidator = vine.create({
  dismissed: boolean().use(says('Whether the release goes out without the commit.')),
  reason: trimmedText(1000)
    .use(
      says('Why it does, for the timeline. Needed to dismiss a commit; absent to take that back.')
    )
    .optional()
    .requiredWhen('dismissed', '=', true),
})
export type DismissPickInput = Infer<typeof dismissPickValidator>

export const pickCandidatesValidator = vine.create({
  ...pageInput,
  releaseId: text(240)
    .use(says('Commits that this release has not; this or `baseTag`.'))
    .optional(),
  baseTag: text(256).use(says('Commits that this tag has not; this or `releaseId`.')).optional(),
  branch: text(256)
    .use(says("The branch whose commits they are; the app's working branch by default."))
    .optional(),
  q: text(200)
    .use(says('Only commits with this text in message, hash or author, in whatever case.'))
    .optional(),
})
export type PickCandidatesQuery = Infer<typeof pickCandidatesValidator>
