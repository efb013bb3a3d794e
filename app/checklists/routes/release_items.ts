import { list } from '#foundation/core/schemas'
import { actionsOrOwner, operation, read } from '#foundation/api/operation/declaration'
import { lazyController } from '#foundation/api/operation/lazy_controller'
import { ChecklistItemEntity } from '../entities.js'
import { exampleReleaseItem } from '../examples.js'
import { FALLING_EVENTS } from '#releases/events'
import { releaseItemsQuery, updateComment, updateStatus } from '../validators/item_inputs.js'
import { oneStep, says, twoStepsIf, type SentBody } from '#foundation/api/operation/steps'

const breaksGlass = (body: SentBody) => says(body, 'breakGlass')

const items = lazyController(
  async () =>
    new (await import('../controllers/release_items_controller.js')).ReleaseItemsController()
)

/** The kind of the item determines the action. Owners of an approval may set it without one. */
const access = actionsOrOwner(
  'UpdateChecklistItemStatus',
  'UpdateApprovalItemStatus',
  'UpdateRegressionTesting'
)

const results = {
  200: {
    description: 'The item of the release.',
    schema: ChecklistItemEntity,
    example: exampleReleaseItem,
  },
}

const precondition = {
  of: 'getChecklistItem',
  query: ({ releaseId }: Record<string, string>) => ({ releaseId }),
  isAnswer: true,
}

export const operations = [
  operation({
    id: 'listReleaseChecklistItems',
    method: 'GET',
    path: '/app/{appId}/release/{releaseId}/checklistItems',
    tag: 'Release',
    summary: 'List checklist items of a release',
    description:
      'Returns all items of the release, of every kind, with their status, ordered by step and position.',
    access: read,
    isOfStored: true,
    query: releaseItemsQuery,
    responses: {
      200: {
        description: 'The items.',
        schema: list('The items.', ChecklistItemEntity, 100_000),
        example: [exampleReleaseItem],
      },
    },
    handle: (call) => items.index(call),
  }),
  operation({
    id: 'updateChecklistItemStatus',
    steps: twoStepsIf(
      breaksGlass,
      'to break glass',
      'a status can be set again; breaking glass stays'
    ),
    method: 'PUT',
    path: '/app/{appId}/release/{releaseId}/checklistItem/{checklistItemId}/status',
    tag: 'Items',
    summary: 'Update status of item',
    description:
      'Sets the status. Needs UpdateChecklistItemStatus, UpdateApprovalItemStatus (or ownership of the approval) or UpdateRegressionTesting, depending on the kind of item. Any legal status of the kind may follow any other; repeating a status changes nothing.\n\n`approved` is the vote of one person on an approval: that of the key, or of the user in `userEmail`, for which the key itself needs UpdateApprovalItemStatus. With `fourEyes` neither the person nor the key may be an author of the approved content. The approval is `inProgress` until `requiredApprovals` people have approved, and any other status withdraws all votes. Votes apply to the current store texts and are withdrawn when those change. An admin key may approve alone and against `fourEyes` with `breakGlass`; the reason is recorded in the audit log and the timeline.',
    access,
    explainRefusal: (scope, params) => items.explainRefusal(scope, params),
    body: {
      kind: 'json',
      name: 'UpdateChecklistItemStatusRequestBody',
      description: 'The status to set.',
      validator: updateStatus,
      example: { status: 'passed', comment: 'Passed on build 4711.' },
    },
    responses: results,
    precondition,
    events: FALLING_EVENTS,
    check: (call, errors) => items.checkStatus(call, errors),
    handle: (call) => items.setStatus(call),
  }),
  operation({
    id: 'updateChecklistItemComment',
    steps: oneStep('can be changed back'),
    method: 'PUT',
    path: '/app/{appId}/release/{releaseId}/checklistItem/{checklistItemId}/comment',
    tag: 'Items',
    summary: 'Update comment of item',
    description:
      'Sets the comment, or clears it with null. Needs the same permission as setting the status.',
    access,
    explainRefusal: (scope, params) => items.explainRefusal(scope, params),
    body: {
      kind: 'json',
      name: 'UpdateChecklistItemCommentRequestBody',
      description: 'The comment to set.',
      validator: updateComment,
      example: { comment: 'Passed on build 4711.' },
    },
    responses: results,
    precondition,
    handle: (call) => items.setComment(call),
  }),
]
