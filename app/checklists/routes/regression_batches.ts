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
  'Each of the 1 to 500 items succeeds or fails on its own; `errors` lists the failures. If all fail, the response is 422 with the same fields and nothing is written.'

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
      description: 'The items to create.',
      like: Type.Object({ items: Type.Array(ChecklistItemEntity) }),
      validator: createBatch,
      example: {
        items: [
          exampleImpliedInput,
          { title: 'Pay by card', owners: [{ type: 'group', id: 'Testers' }] },
        ],
      },
    },
    responses: {
      200: {
        description: 'The created and failed items.',
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
    description: `${PARTLY} A repeated id counts once.`,
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
    responses: {
      200: {
        description: 'The updated and failed items.',
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
    responses: {
      200: {
        description: 'The deleted and failed items.',
        schema: BatchDeleteChecklistItemsResponse,
        example: { deleted: [exampleItem.id], errors: [unknown] },
      },
    },
    events: SETTLING_EVENTS,
    handle: (call) => batches.delete(call),
  }),
]
