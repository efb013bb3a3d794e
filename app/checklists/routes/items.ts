import { actions, operation, read } from '#foundation/api/operation/declaration'
import { lazyController } from '#foundation/api/operation/lazy_controller'
import { ChecklistItemEntity } from '../entities.js'
import {
  exampleImpliedInput,
  exampleItem,
  exampleApproval,
  exampleApprovalInput,
  exampleChecklistInput,
  exampleChecklistItem,
} from '../examples.js'
import { MAX_RELEASE_ITEMS, MAX_TEMPLATES } from '#workflow/bounds'
import { FALLING_EVENTS } from '#releases/events'
import {
  createChecklistItem,
  createImpliedItem,
  itemQuery,
  updateChecklistItem,
} from '../validators/item_inputs.js'
import { mentions, oneStep, twoStepsIf, type SentBody } from '#foundation/api/operation/steps'

/** Moving an item to another step drops its results. Moving it within its step does not. */
const movesStep = ({ placement }: SentBody) =>
  Object.keys(placement ?? {}).some((name) => name !== 'position')
const changesRules = (body: SentBody) =>
  mentions(body, 'owners', 'required', 'requiredApprovals', 'fourEyes', 'releaseTypes') ||
  movesStep(body)

const items = lazyController(
  async () => new (await import('../controllers/items_controller.js')).ItemsController()
)

const created = (description: string, example: ChecklistItemEntity) => ({
  201: { description, schema: ChecklistItemEntity, example },
})
const like = ChecklistItemEntity

const ROOM = `An app has at most ${MAX_TEMPLATES} templates of all kinds together, a release holds at most ${MAX_RELEASE_ITEMS} items: beyond that the response is 409 \`too_many_items\`.`

export const operations = [
  operation({
    id: 'createChecklistItem',
    steps: oneStep('an item can be changed'),
    method: 'POST',
    path: '/app/{appId}/checklistItem',
    tag: 'Items',
    summary: 'Create step checklist item',
    description: `Creates a template for every matching release, or with \`releaseId\` a one-off item of one release. Upcoming and active releases get it at once. ${ROOM}`,
    access: actions('EditChecklists'),
    body: {
      kind: 'json',
      name: 'CreateChecklistItemRequestBody',
      description:
        'The item to create; `title` and one of `stepType` and `stepConfigId` are required.',
      like,
      validator: createChecklistItem,
      example: exampleChecklistInput,
    },
    responses: created('The checklist item.', exampleChecklistItem),
    events: ['releaseStep.statusChanged'],
    check: (call, errors) => items.checkCreate('checklist', call, errors),
    handle: (call) => items.create('checklist', call),
  }),
  operation({
    id: 'createApprovalItem',
    steps: oneStep('an item can be changed'),
    method: 'POST',
    path: '/app/{appId}/approval',
    tag: 'Items',
    summary: 'Create approval item',
    description:
      'Creates an item of the `approvals` step, otherwise like a checklist item. It is approved once `requiredApprovals` people have approved the content of the release; with `fourEyes` its authors do not count.',
    access: actions('EditChecklists'),
    body: {
      kind: 'json',
      name: 'CreateApprovalOrRegressionTestingItemRequestBody',
      description: 'The item to create; only `title` is required, as the kind determines the step.',
      like,
      validator: createImpliedItem,
      example: exampleApprovalInput,
    },
    responses: created('The approval item.', exampleApproval),
    events: ['releaseStep.statusChanged'],
    check: (call, errors) => items.checkCreate('approval', call, errors),
    handle: (call) => items.create('approval', call),
  }),
  operation({
    id: 'createRegressionItem',
    steps: oneStep('an item can be deleted'),
    method: 'POST',
    path: '/app/{appId}/regressionItem',
    tag: 'Items',
    summary: 'Create regression testing item',
    description:
      'Creates an item of the `regressionTesting` step, otherwise like a checklist item. `requiredApprovals` and `fourEyes` are refused.',
    access: actions('EditChecklists'),
    body: {
      kind: 'json',
      name: 'CreateApprovalOrRegressionTestingItemRequestBody',
      description: 'The item to create; only `title` is required, as the kind determines the step.',
      like,
      validator: createImpliedItem,
      example: exampleImpliedInput,
    },
    responses: created('The regression testing item.', exampleItem),
    events: ['releaseStep.statusChanged', 'release.regressionStatusUpdated'],
    check: (call, errors) => items.checkCreate('regression', call, errors),
    handle: (call) => items.create('regression', call),
  }),
  operation({
    id: 'getChecklistItem',
    method: 'GET',
    path: '/app/{appId}/checklistItem/{checklistItemId}',
    tag: 'Items',
    summary: 'Get checklist item',
    description:
      'Returns an item of any kind; with `releaseId`, the copy in that release, with its status.',
    access: read,
    isOfStored: true,
    query: itemQuery,
    responses: {
      200: { description: 'The item.', schema: ChecklistItemEntity, example: exampleItem },
    },
    handle: (call) => items.show(call),
  }),
  operation({
    id: 'updateChecklistItem',
    steps: twoStepsIf(
      changesRules,
      'for owners, rules, kinds of release and another step',
      'who decides, by which rules, and for which releases and step: rights, and results that go; texts and order can be changed back'
    ),
    method: 'PUT',
    path: '/app/{appId}/checklistItem/{checklistItemId}',
    tag: 'Items',
    summary: 'Update checklist item',
    description:
      'Changes the given fields. The change applies to upcoming releases and untouched items of active ones, never to completed ones. Only approvals accept `requiredApprovals` and `fourEyes`. An item always belongs to a step: in `placement`, null for one step field only means that the other names the step.',
    access: actions('EditChecklists'),
    query: itemQuery,
    body: {
      kind: 'json',
      name: 'UpdateChecklistItemRequestBody',
      description: 'Fields to change; absent fields stay.',
      like,
      validator: updateChecklistItem,
      example: { title: exampleItem.title, placement: { position: 0 } },
    },
    responses: {
      200: { description: 'The item.', schema: ChecklistItemEntity, example: exampleItem },
    },
    precondition: {
      of: 'getChecklistItem',
      query: (_params, requested) => ({
        ...(requested.releaseId ? { releaseId: requested.releaseId } : {}),
      }),
    },
    events: FALLING_EVENTS,
    check: (call, errors) => items.checkUpdate(call, errors),
    handle: (call) => items.update(call),
  }),
]
