import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import { boolean, oneOf, queryBoolean, says, text } from '#foundation/api/operation/input'
import { pageInput } from '#foundation/api/pages'
import { CODE_STATUSES, MAX_IGNORED } from '../vocabulary.js'

export const searchItemsValidator = vine.create({
  ...pageInput,
  q: text(200)
    .use(
      says(
        'Only items with this text in the key, title or assignee of the ticket, or in the hash, subject or number of its code, in whatever case.'
      )
    )
    .optional(),
  codeStatus: oneOf(CODE_STATUSES).use(says('Only items whose code is there.')).optional(),
  ignored: queryBoolean()
    .use(says('Only items that are put aside, or only the others.'))
    .optional(),
  author: text(320)
    .use(says('Only items with code of this author, by the whole name, in whatever case.'))
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
  from: version().use(says('Earlier version; by default what users have.')).optional(),
  to: version().use(says('Later version; by default the newest.')).optional(),
})
export type ChangesQuery = Infer<typeof changesValidator>

/** `FrIgnoreUnignoreRequestBody` */
export const ignoreItemsValidator = vine.create({
  items: vine
    .array(
      vine
        .object({
          id: text(100).use(says('Id of the item.')),
          ignored: boolean().use(says('Whether it is put aside.')),
        })
        .use(says('What becomes of one item.'))
    )
    .minLength(1)
    .maxLength(MAX_IGNORED)
    .use(says('What becomes of each item; this, or `itemIds`.'))
    .optional(),
  itemIds: vine
    .array(text(100))
    .minLength(1)
    .maxLength(MAX_IGNORED)
    .use(says('Ids of items that the same becomes of.'))
    .optional(),
  ignore: boolean()
    .use(says('Whether the items of `itemIds` are put aside; they are by default.'))
    .optional(),
})
export type IgnoreItemsInput = Infer<typeof ignoreItemsValidator>
