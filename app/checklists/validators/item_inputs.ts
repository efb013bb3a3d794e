import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import {
  anyText,
  emailAddress,
  oneOf,
  describedAs,
  jsonSchema,
  text,
  trimmedText,
  boolean,
  integer,
} from '#foundation/api/operation/input'
import type { InputValidator } from '#foundation/api/operation/declaration'
import { RELEASE_STEP_TYPES, RELEASE_TYPES } from '#workflow/vocabulary'
import { MAX_REQUIRED_APPROVALS } from '../approvals/approvals.js'
import { MAX_BATCH } from '../entities.js'
import { ITEM_KINDS, ITEM_OWNER_TYPES, ITEM_STATUSES } from '#releases/vocabulary'

const MAX_COMMENT = 5000
const MAX_DESCRIPTION = 10_000
const MAX_OWNERS = 50
const MAX_POSITION = 1_000_000

const title = () => trimmedText(200)
const id = () => text(64)

const owner = vine.object({
  type: oneOf(ITEM_OWNER_TYPES),
  id: text(320)
    .use(
      describedAs(
        'Id of the user or group, or e-mail address of the user; null or absent for the pilot.'
      )
    )
    .nullable()
    .optional(),
})

const position = () =>
  integer(0, MAX_POSITION)
    .use(describedAs('Position among the items of the step, from 0; new items go last by default.'))
    .optional()

const details = () => ({
  description: anyText(MAX_DESCRIPTION).nullable().optional(),
  releaseTypes: vine
    .array(oneOf(RELEASE_TYPES))
    .minLength(1)
    .maxLength(RELEASE_TYPES.length)
    .optional(),
  owners: vine.array(owner).maxLength(MAX_OWNERS).optional(),
  required: boolean().optional(),
  notifyOnCompletion: boolean().optional(),
  position: position(),
})

const step = () => ({
  stepType: oneOf(RELEASE_STEP_TYPES)
    .use(describedAs('Type of the step of the item; absent or null if `stepConfigId` names it.'))
    .nullable()
    .optional(),
  stepConfigId: id()
    .use(describedAs('Id of a step in the app workflow; absent or null if `stepType` names it.'))
    .nullable()
    .optional(),
})

/** Rules for approvals only. The action refuses them for items of other kinds. */
const approvalRules = () => ({
  requiredApprovals: integer(1, MAX_REQUIRED_APPROVALS).optional(),
  fourEyes: boolean().optional(),
})

const releaseId = () => text(200).nullable().optional()

/** `CreateApprovalOrRegressionTestingItemRequestBody`: the step is implied by the kind. */
export const createImpliedItem = vine.create({
  title: title(),
  ...details(),
  ...approvalRules(),
  releaseId: releaseId(),
})

/** `CreateChecklistItemRequestBody` */
export const createChecklistItem = vine.create({
  title: title(),
  ...details(),
  ...step(),
  releaseId: releaseId(),
})
export type ItemInput = Infer<typeof createChecklistItem> & Partial<Infer<typeof createImpliedItem>>
export type OwnerInput = Infer<typeof owner>

/** `UpdateChecklistItemRequestBody` */
export const updateChecklistItem = vine.create({
  title: title().optional(),
  ...details(),
  ...approvalRules(),
  placement: vine
    .object({ ...step(), position: position() })
    .use(describedAs('New step and position of the item; absent fields stay.'))
    .optional(),
})
export type ItemChanges = Infer<typeof updateChecklistItem>

const status = () =>
  oneOf(ITEM_STATUSES).use(describedAs('The new status; legal values depend on the kind.'))
const statusComment = () =>
  text(MAX_COMMENT)
    .use(describedAs('Comment on the item; null removes it, absent leaves it unchanged.'))
    .nullable()
    .optional()

/** `UpdateChecklistItemStatusRequestBody` */
export const updateStatus = vine.create({
  status: status(),
  comment: statusComment(),
  userEmail: emailAddress()
    .use(describedAs('Approvals only: person who approves; the key itself by default.'))
    .optional(),
  breakGlass: vine
    .object({
      reason: trimmedText(1000, 10).use(
        describedAs('Reason in 10 to 1000 characters, recorded in the timeline.')
      ),
    })
    .use(describedAs('Approvals and admin keys only: approves alone, overriding the rules.'))
    .optional(),
})
export type StatusInput = Infer<typeof updateStatus>

const comment = vine.create({
  comment: text(MAX_COMMENT).use(describedAs('The comment; null removes it.')).nullable(),
})

/** `UpdateChecklistItemCommentRequestBody`; VineJS leaves nullable members out of `required`. */
export const updateComment: InputValidator<Infer<typeof comment>> = {
  validate: (data, options) => comment.validate(data, options),
  toJSONSchema: () => ({ ...comment.toJSONSchema(), required: ['comment'] }),
}

const itemId = () => id().use(describedAs('Id of a regression item.'))

/** `UpdateRegressionItemStatusRequestItem` */
export const updateBatchItem = vine.create({
  id: itemId(),
  status: status(),
  comment: statusComment(),
})

/** `?releaseId=` of the operations on an item. */
export const itemQuery = vine.create({
  releaseId: text(200)
    .use(describedAs('Release whose copy of the item to use; absent for the app template.'))
    .optional(),
})
export type ItemQuery = Infer<typeof itemQuery>

/** Filters of a release's items. */
export const releaseItemsQuery = vine.create({
  kind: oneOf(ITEM_KINDS).use(describedAs('Only items of this kind.')).optional(),
  status: oneOf(ITEM_STATUSES).use(describedAs('Only items of this status.')).optional(),
  stepType: oneOf(RELEASE_STEP_TYPES)
    .use(describedAs('Only items of steps of this type.'))
    .optional(),
})
export type ReleaseItemsQuery = Infer<typeof releaseItemsQuery>

/** An entry of a batch that is validated on its own later, so that one bad entry fails alone. */
const unchecked = vine.object({}).allowUnknownProperties()

/**
 * Returns the validator of a batch whose entries are validated one by one later. The documentation
 * shows the strict schema of the entries.
 */
function checkedLater<Output>(
  asRead: InputValidator<Output>,
  asShown: InputValidator<unknown>
): InputValidator<Output> {
  return {
    validate: (data, options) => asRead.validate(data, options),
    toJSONSchema: () => asShown.toJSONSchema(),
    readSchema: () => asRead.toJSONSchema(),
  }
}

/** `CreateRegressionItemsBatchRequestBody` */
export const createBatch = checkedLater(
  vine.create({ items: vine.array(unchecked.clone()).minLength(1).maxLength(MAX_BATCH) }),
  vine.create({
    items: vine
      .array(
        vine
          .object({ title: title(), ...details(), releaseId: releaseId() })
          .use(describedAs('An item to create.'))
      )
      .minLength(1)
      .maxLength(MAX_BATCH)
      .use(describedAs('The items to create, each individually.')),
  })
)

/** `UpdateRegressionItemsBatchRequestBody` */
export const updateBatch = checkedLater(
  vine.create({
    releaseId: text(200),
    items: vine
      .array(vine.object({ id: id() }).allowUnknownProperties())
      .minLength(1)
      .maxLength(MAX_BATCH),
  }),
  vine.create({
    releaseId: text(200).use(describedAs('Release in which to set the statuses.')),
    items: vine
      .array(
        vine.object({ id: itemId(), status: status(), comment: statusComment() }).use(
          jsonSchema({
            $id: 'UpdateRegressionItemStatusRequestItem',
            description: 'The new status of one item.',
          })
        )
      )
      .minLength(1)
      .maxLength(MAX_BATCH)
      .use(describedAs('The statuses to set, each individually.')),
  })
)

/** `DeleteRegressionItemsBatchRequestBody` */
export const deleteBatch = vine.create({
  ids: vine
    .array(itemId())
    .minLength(1)
    .maxLength(MAX_BATCH)
    .use(describedAs('The items to delete, each individually.')),
})
