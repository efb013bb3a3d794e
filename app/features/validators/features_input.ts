import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import { boolean, oneOf, queryBoolean, describedAs, text } from '#foundation/api/operation/input'
import { pageInput } from '#foundation/api/pages'
import { CODE_STATUSES, MAX_IGNORED } from '../vocabulary.js'

export const searchItemsValidator = vine.create({
  ...pageInput,
  q: text(200)
    .use(
      describedAs(
        'Only items with this text in the key, title or assignee of the ticket, or the hash, subject or number of its code; case-insensitive.'
      )
    )
    .optional(),
  codeStatus: oneOf(CODE_STATUSES).use(describedAs('Only items with this code status.')).optional(),
  ignored: queryBoolean()
    .use(describedAs('Only ignored items if true, only the others if false.'))
    .optional(),
  author: text(320)
    .use(describedAs('Only items with code by this author; the whole name, case-insensitive.'))
    .optional(),
})
export type SearchItemsQuery = Infer<typeof searchItemsValidator>

const version = () =>
  vine
    .string()
    .maxLength(32)
    .regex(/^\d{1,9}(\.\d{1,9}){0,2}$/)

export const changesValidator = vine.create({
  ...pageInput,
  from: version().use(describedAs('Earlier version; by default the last one released.')).optional(),
  to: version().use(describedAs('Later version; by default the newest.')).optional(),
})
export type ChangesQuery = Infer<typeof changesValidator>

/** `FrIgnoreUnignoreRequestBody` */
export const ignoreItemsValidator = vine.create({
  items: vine
    .array(
      vine
        .object({
          id: text(100).use(describedAs('Id of the item.')),
          ignored: boolean().use(describedAs('Whether to ignore the item.')),
        })
        .use(describedAs('An item, and whether to ignore it.'))
    )
    .minLength(1)
    .maxLength(MAX_IGNORED)
    .use(describedAs('Items to ignore or restore; this or `itemIds`.'))
    .optional(),
  itemIds: vine
    .array(text(100))
    .minLength(1)
    .maxLength(MAX_IGNORED)
    .use(describedAs('Ids of items to ignore or restore together.'))
    .optional(),
  ignore: boolean()
    .use(describedAs('Whether to ignore the items of `itemIds`; true by default.'))
    .optional(),
})
export type IgnoreItemsInput = Infer<typeof ignoreItemsValidator>
