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

const answers = {
  200: {
    description: 'The item as the release holds it.',
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
      'Items of every kind that the release holds, with their status, in the order of its steps and then by position.',
    access: read,
    isOfStored: true,
    query: releaseItemsQuery,
    answers: {
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
      'Needs UpdateChecklistItemStatus, UpdateApprovalItemStatus (or to own the approval) or UpdateRegressionTesting, by the kind of the item. Any legal status of the kind may follow any other; the same status again changes nothing.\n\n`approved` is the vote of one person on an approval: of the key, or of the user that `userEmail` names, for which the key needs UpdateApprovalItemStatus itself. With `fourEyes` neither the person nor the key may have made what is approved. The approval is `inProgress` until `requiredApprovals` people approved, and any other status takes all votes back. Votes are for the store texts the release holds: when those change, they fall. An admin key may approve alone and against `fourEyes` with `breakGlass`; the reason is kept in the audit and the timeline.',
    access,
    explainRefusal: (scope, params) => items.explainRefusal(scope, params),
    body: {
      kind: 'json',
      name: 'UpdateChecklistItemStatusRequestBody',
      description: 'The status to set.',
      validator: updateStatus,
      example: { status: 'passed', comment: 'Passed on build 4711.' },
    },
    answers,
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
    description: 'Sets the comment, or clears it with null. Needs what setting the status needs.',
    access,
    explainRefusal: (scope, params) => items.explainRefusal(scope, params),
    body: {
      kind: 'json',
      name: 'UpdateChecklistItemCommentRequestBody',
      description: 'The comment to set.',
      validator: updateComment,
      example: { comment: 'Passed on build 4711.' },
    },
    answers,
    precondition,
    handle: (call) => items.setComment(call),
  }),
]
