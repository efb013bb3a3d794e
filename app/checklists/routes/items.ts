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

const made = (description: string, example: ChecklistItemEntity) => ({
  201: { description, schema: ChecklistItemEntity, example },
})
const like = ChecklistItemEntity

const ROOM = `An app has at most ${MAX_TEMPLATES} templates of all kinds together, a release holds at most ${MAX_RELEASE_ITEMS} items: beyond that it is 409 \`too_many_items\`.`

export const operations = [
  operation({
    id: 'createChecklistItem',
    steps: oneStep('an item can be changed'),
    method: 'POST',
    path: '/app/{appId}/checklistItem',
    tag: 'Items',
    summary: 'Create step checklist item',
    description: `A template for every matching release, or with \`releaseId\` a one-off of one release. Upcoming and active releases get it at once. ${ROOM}`,
    access: actions('EditChecklists'),
    body: {
      kind: 'json',
      name: 'CreateChecklistItemRequestBody',
      description:
        'The item to make; `title` and one of `stepType` and `stepConfigId` are required.',
      like,
      validator: createChecklistItem,
      example: exampleChecklistInput,
    },
    answers: made('The checklist item.', exampleChecklistItem),
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
      'An item of the step `approvals`; otherwise as a checklist item. It is approved once `requiredApprovals` people approved what the release holds; with `fourEyes` nobody who made that counts.',
    access: actions('EditChecklists'),
    body: {
      kind: 'json',
      name: 'CreateApprovalOrRegressionTestingItemRequestBody',
      description: 'The item to make; only `title` is required, the step follows from the kind.',
      like,
      validator: createImpliedItem,
      example: exampleApprovalInput,
    },
    answers: made('The approval item.', exampleApproval),
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
      'An item of the step `regressionTesting`; otherwise as a checklist item. `requiredApprovals` and `fourEyes` are refused.',
    access: actions('EditChecklists'),
    body: {
      kind: 'json',
      name: 'CreateApprovalOrRegressionTestingItemRequestBody',
      description: 'The item to make; only `title` is required, the step follows from the kind.',
      like,
      validator: createImpliedItem,
      example: exampleImpliedInput,
    },
    answers: made('The regression testing item.', exampleItem),
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
      'An item of any kind. With `releaseId` as that release holds it, with its status there.',
    access: read,
    isOfStored: true,
    query: itemQuery,
    answers: {
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
      'Changes what is given. The edit reaches upcoming releases and untouched items of active ones, never completed ones. Only approvals take `requiredApprovals` and `fourEyes`. An item always stands on a step: null in `placement` says only that the other of the two names it.',
    access: actions('EditChecklists'),
    query: itemQuery,
    body: {
      kind: 'json',
      name: 'UpdateChecklistItemRequestBody',
      description: 'What to change; what is absent stays.',
      like,
      validator: updateChecklistItem,
      example: { title: exampleItem.title, placement: { position: 0 } },
    },
    answers: {
      200: { description: 'The item.', schema: ChecklistItemEntity, example: exampleItem },
    },
    precondition: {
      of: 'getChecklistItem',
      query: (_params, asked) => ({ ...(asked.releaseId ? { releaseId: asked.releaseId } : {}) }),
    },
    events: FALLING_EVENTS,
    check: (call, errors) => items.checkUpdate(call, errors),
    handle: (call) => items.update(call),
  }),
]
