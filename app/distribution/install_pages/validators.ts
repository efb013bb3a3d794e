import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import { anyText, dateTime, emailAddress, describedAs, text } from '#foundation/api/operation/input'
import { pageInput } from '#foundation/api/pages'
import { MAX_TAG } from '../testers/tags.js'

export const createLinkValidator = vine.create({
  buildDistroBuildId: text(64)
    .use(describedAs('Id of the build; absent or null for the newest build of the bucket.'))
    .nullable()
    .optional(),
  email: emailAddress()
    .use(describedAs('E-mail address of the tester; absent or null for a public link.'))
    .nullable()
    .optional(),
  expiresAt: dateTime()
    .use(
      describedAs(
        'When it expires; null for never. By default, a link to a build expires in a week, one to the newest build never.'
      )
    )
    .nullable()
    .optional(),
})
export type CreateLinkInput = Infer<typeof createLinkValidator>

/** Accepts empty texts, because a form also submits empty fields. */
export const listPageValidator = vine.create({
  q: anyText(100)
    .use(describedAs('Only builds whose version, branch, notes, file name or tags contain this.'))
    .optional(),
  tag: anyText(MAX_TAG).use(describedAs('Only builds with this tag.')).optional(),
  branch: anyText(256).use(describedAs('Only builds of this branch.')).optional(),
  cursor: pageInput.cursor.clone(),
})
export type ListPageQuery = Infer<typeof listPageValidator>

export const updateLinkValidator = vine.create({ expiresAt: dateTime().nullable().optional() })
export type UpdateLinkInput = Infer<typeof updateLinkValidator>

export const listLinksValidator = vine.create(pageInput)
export type ListLinksQuery = Infer<typeof listLinksValidator>
