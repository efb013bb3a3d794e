import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import { says, text } from '#foundation/api/operation/input'
import { pageInput } from '#foundation/api/pages'

export const releaseTagsValidator = vine.create({
  ...pageInput,
  q: text(200).use(says('Only tags whose names hold this text, in whatever case.')).optional(),
})
export type ReleaseTagsQuery = Infer<typeof releaseTagsValidator>

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
