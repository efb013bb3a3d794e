import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import { dateTime, oneOf, describedAs, text } from '#foundation/api/operation/input'
import { pageInput } from '#foundation/api/pages'
import { CI_INTEGRATION_IDS } from '#integrations/vocabulary'
import { ciBuildFields } from '../ci_build_info.js'
import { CI_BUILD_STATUSES } from '../vocabulary.js'

export const uploadCustomBuildValidator = vine.create({
  ...ciBuildFields,
  integrationId: oneOf(CI_INTEGRATION_IDS)
    .use(describedAs('CI system that ran the build; `generic-ci` by default.'))
    .optional(),
  baseBranch: text(256)
    .use(describedAs('Base branch of the pull request that was built; null for a branch build.'))
    .nullable()
    .optional(),
  version: text(32)
    .use(describedAs('Version it was built for; by default that of its branch.'))
    .optional(),
  releaseId: text(200)
    .use(describedAs('Id of the release it was built for; alternative to `version`.'))
    .optional(),
})
export type UploadCustomBuildInput = Infer<typeof uploadCustomBuildValidator>

export const listCustomBuildsValidator = vine.create({
  ...pageInput,
  releaseId: text(200).use(describedAs('Only builds for this release.')).optional(),
  version: text(32).use(describedAs('Only builds for this version.')).optional(),
  status: oneOf(CI_BUILD_STATUSES).use(describedAs('Only builds with this status.')).optional(),
  branch: text(256).use(describedAs('Only builds of this branch.')).optional(),
  createdAfter: dateTime().use(describedAs('Only builds added after this time.')).optional(),
  createdBefore: dateTime().use(describedAs('Only builds added before this time.')).optional(),
})
export type ListCustomBuildsQuery = Infer<typeof listCustomBuildsValidator>
