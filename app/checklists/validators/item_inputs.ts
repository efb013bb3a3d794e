import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import {
  anyText,
  emailAddress,
  oneOf,
  shownAs,
  text,
  trimmedText,
  boolean,
  integer,
} from '#foundation/api/operation/input'
import type { InputValidator } from '#foundation/api/operation/declaration'
import { RELEASE_STEP_TYPES, RELEASE_TYPES } from '#workflow/vocabulary'
import { MAX_REQUIRED_APPROVALS } from '../approvals.js'
import { ITEM_KINDS, ITEM_OWNER_TYPES, ITEM_STATUSES } from '#releases/vocabulary'

/** Most items of one batch: one transaction writes them all. */
export const MAX_BATCH = 500

const MAX_COMMENT = 5000
const MAX_DESCRIPTION = 10_000
const MAX_OWNERS = 50
const MAX_POSITION = 1_000_000

const title = () => trimmedText(200)
const id = () => text(64)

const owner = vine.object({
  type: oneOf(ITEM_OWNER_TYPES),
  // Id of the user or group; a user's e-mail address does as well. None for the release pilot.
  id: text(320).nullable().optional(),
})

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
  position: integer(0, MAX_POSITION).optional(),
})

const step = () => ({
  stepType: oneOf(RELEASE_STEP_TYPES).nullable().optional(),
  stepConfigId: id().nullable().optional(),
})

/** For approvals only: the action refuses them elsewhere. */
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
  placement: vine.object({ ...step(), position: integer(0, MAX_POSITION).optional() }).optional(),
})
export type ItemChanges = Infer<typeof updateChecklistItem>

/** `UpdateChecklistItemStatusRequestBody` */
export const updateStatus = vine.create({
  status: oneOf(ITEM_STATUSES),
  comment: text(MAX_COMMENT).nullable().optional(),
  // For approvals only, as is `breakGlass`.
  userEmail: emailAddress().optional(),
  breakGlass: vine.object({ reason: trimmedText(1000, 10) }).optional(),
})
export type StatusInput = Infer<typeof updateStatus>

const comment = vine.create({ comment: text(MAX_COMMENT).nullable() })

/** `UpdateChecklistItemCommentRequestBody`; VineJS leaves nullable members out of `required`. */
export const updateComment: InputValidator<Infer<typeof comment>> = {
  validate: (data, options) => comment.validate(data, options),
  toJSONSchema: () => ({ ...comment.toJSONSchema(), required: ['comment'] }),
}

/** `UpdateRegressionItemStatusRequestItem` */
export const updateBatchItem = vine.create({
  id: id(),
  status: oneOf(ITEM_STATUSES),
  comment: text(MAX_COMMENT).nullable().optional(),
})

/** `?releaseId=` of the operations on an item. */
export const itemQuery = vine.create({ releaseId: text(200).optional() })
export type ItemQuery = Infer<typeof itemQuery>

/** Filters of a release's items. */
export const releaseItemsQuery = vine.create({
  kind: oneOf(ITEM_KINDS).optional(),
  status: oneOf(ITEM_STATUSES).optional(),
  stepType: oneOf(RELEASE_STEP_TYPES).optional(),
})
export type ReleaseItemsQuery = Infer<typeof releaseItemsQuery>

/** An object whose members are checked item by item, so that one bad item fails alone. */
const unchecked = vine.object({}).allowUnknownProperties()

/**
 * A batch whose items are checked one by one later, while its documentation shows them as
 * they have to be.
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
      .array(vine.object({ title: title(), ...details(), releaseId: releaseId() }))
      .minLength(1)
      .maxLength(MAX_BATCH),
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
    releaseId: text(200),
    items: vine
      .array(
        vine
          .object({
            id: id(),
            status: oneOf(ITEM_STATUSES),
            comment: text(MAX_COMMENT).nullable().optional(),
          })
          .use(shownAs({ $id: 'UpdateRegressionItemStatusRequestItem' }))
      )
      .minLength(1)
      .maxLength(MAX_BATCH),
  })
)

/** `DeleteRegressionItemsBatchRequestBody` */
export const deleteBatch = vine.create({
  ids: vine.array(id()).minLength(1).maxLength(MAX_BATCH),
})
