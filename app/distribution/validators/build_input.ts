import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import { ciBuildFields } from '#builds/ci_build_info'
import {
  anyText,
  dateTime,
  oneOf,
  describedAs,
  text,
  trimmedText,
} from '#foundation/api/operation/input'
import { pageInput } from '#foundation/api/pages'
import { MAX_TAG, MAX_TAGS } from '../testers/tags.js'
import { BUILD_STATUSES } from '../vocabulary.js'

const tags = () =>
  vine
    .array(trimmedText(MAX_TAG).use(describedAs('A tag to search by.')))
    .maxLength(MAX_TAGS)
    .use(describedAs('Tags that testers can search by.'))
    .optional()

export const uploadBuildValidator = vine.create({
  tags: tags(),
  testerNotes: anyText(10_000)
    .use(describedAs('Notes for testers; null for none.'))
    .nullable()
    .optional(),
  ciBuildInfo: vine
    .object(ciBuildFields)
    .use(describedAs('CI build that the file comes from; null for none.'))
    .nullable()
    .optional(),
})
export type UploadBuildInput = Infer<typeof uploadBuildValidator>

export const updateBuildValidator = vine.create({
  tags: tags(),
  testerNotes: anyText(10_000).nullable().optional(),
  status: oneOf(['expired']).use(describedAs('Expires the build now.')).optional(),
  expiresAt: dateTime().nullable().optional(),
})
export type UpdateBuildInput = Infer<typeof updateBuildValidator>

export const listBuildsValidator = vine.create({
  ...pageInput,
  status: oneOf(BUILD_STATUSES).use(describedAs('Only builds with this status.')).optional(),
  branch: text(256).use(describedAs('Only builds of this branch.')).optional(),
  tag: text(MAX_TAG).use(describedAs('Only builds with this tag.')).optional(),
  q: text(100)
    .use(
      describedAs(
        'Only builds whose version, build number, branch, notes, file name or tags contain this, among the newest 10,000.'
      )
    )
    .optional(),
  createdAfter: dateTime().use(describedAs('Only builds added after this time.')).optional(),
})
export type ListBuildsQuery = Infer<typeof listBuildsValidator>
/** The filters of a bucket's builds. */
export type BuildFilters = Omit<ListBuildsQuery, 'limit' | 'cursor'>

export const downloadValidator = vine.create({
  artifactFileName: text(255)
    .use(describedAs('Name of an additional file; the artifact by default.'))
    .optional(),
})
export type DownloadQuery = Infer<typeof downloadValidator>
