import { RELEASE_ID } from '#releases/examples'
import { Type } from '@sinclair/typebox'
import { actions, operation } from '#foundation/api/operation/declaration'
import { lazyController } from '#foundation/api/operation/lazy_controller'
import {
  BatchCreateChecklistItemsResponse,
  BatchDeleteChecklistItemsResponse,
  BatchUpdateChecklistItemStatusesResponse,
  ChecklistItemEntity,
} from '../entities.js'
import { exampleReleaseItem, exampleImpliedInput, exampleItem, UNKNOWN_ITEM } from '../examples.js'
import { FALLING_EVENTS, SETTLING_EVENTS } from '#releases/events'
import { createBatch, deleteBatch, updateBatch } from '../validators/item_inputs.js'
import { oneStep, twoSteps } from '#foundation/api/operation/steps'

const batches = lazyController(
  async () =>
    new (
      await import('../controllers/regression_batches_controller.js')
    ).RegressionBatchesController()
)
const path = '/app/{appId}/regressionItems/batch'

const PARTLY =
  '1 to 500 items. What can be done is done, the rest is listed in `errors`; when every item failed the answer is 422 with the same members and nothing is written.'

const unknown = {
  id: UNKNOWN_ITEM,
  error: `The release has no regression item ${UNKNOWN_ITEM}.`,
  code: 'not_found',
}

export const operations = [
  operation({
    id: 'createRegressionItems',
    steps: oneStep('items can be deleted'),
    method: 'POST',
    path,
    tag: 'Items',
    summary: 'Create regression testing items in batch',
    description: PARTLY,
    access: actions('EditChecklists'),
    body: {
      kind: 'json',
      name: 'CreateRegressionItemsBatchRequestBody',
      description: 'The items to make.',
      like: Type.Object({ items: Type.Array(ChecklistItemEntity) }),
      validator: createBatch,
      example: {
        items: [
          exampleImpliedInput,
          { title: 'Pay by card', owners: [{ type: 'group', id: 'Testers' }] },
        ],
      },
    },
    answers: {
      200: {
        description: 'What was made, and what was not.',
        schema: BatchCreateChecklistItemsResponse,
        example: {
          created: [exampleItem],
          errors: [{ index: 1, error: 'There is no group "Testers".', code: 'unknown_owner' }],
        },
      },
    },
    events: ['releaseStep.statusChanged', 'release.regressionStatusUpdated'],
    handle: (call) => batches.create(call),
  }),
  operation({
    id: 'updateRegressionItems',
    steps: oneStep('statuses can be set again'),
    method: 'PUT',
    path,
    tag: 'Items',
    summary: 'Update regression testing item statuses in batch',
    description: `${PARTLY} An id named twice counts once.`,
    access: actions('UpdateRegressionTesting'),
    body: {
      kind: 'json',
      name: 'UpdateRegressionItemsBatchRequestBody',
      description: 'The statuses to set in one release.',
      validator: updateBatch,
      example: {
        releaseId: RELEASE_ID,
        items: [
          { id: exampleItem.id, status: 'passed', comment: 'Passed on build 4711.' },
          { id: UNKNOWN_ITEM, status: 'passed' },
        ],
      },
    },
    answers: {
      200: {
        description: 'What was set, and what was not.',
        schema: BatchUpdateChecklistItemStatusesResponse,
        example: { updated: [exampleReleaseItem], errors: [unknown] },
      },
    },
    events: FALLING_EVENTS,
    handle: (call) => batches.update(call),
  }),
  operation({
    id: 'deleteRegressionItems',
    steps: twoSteps('destroys items with their results'),
    method: 'DELETE',
    path,
    tag: 'Items',
    summary: 'Delete regression testing items in batch',
    description: `${PARTLY} Takes a body. Releases that already used an item keep it.`,
    access: actions('EditChecklists'),
    body: {
      kind: 'json',
      name: 'DeleteRegressionItemsBatchRequestBody',
      description: 'The items to delete.',
      validator: deleteBatch,
      example: { ids: [exampleItem.id, UNKNOWN_ITEM] },
    },
    answers: {
      200: {
        description: 'What was deleted, and what was not.',
        schema: BatchDeleteChecklistItemsResponse,
        example: { deleted: [exampleItem.id], errors: [unknown] },
      },
    },
    events: SETTLING_EVENTS,
    handle: (call) => batches.delete(call),
  }),
]
