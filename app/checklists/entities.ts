import { Type, type Static } from '@sinclair/typebox'
import { ReleaseStepTypeSchema } from '#apps/entities'
import {
  ActorEntity,
  count,
  described,
  entity,
  flag,
  id,
  instant,
  list,
  nonEmpty,
  nullable,
  object,
  percentage,
  text,
  url,
  enumOf,
} from '#foundation/core/schemas'
import { ReleaseRegressionTestingStatusSchema, releaseId } from '#releases/entities'
import { TEST_RUN_STATUSES } from '#releases/vocabulary'
import { RELEASE_TYPES } from '#workflow/vocabulary'
import { ItemDemand } from './demanded/demand.js'
import { MAX_REQUIRED_APPROVALS } from './approvals/approvals.js'
import { ITEM_KINDS, ITEM_OWNER_TYPES, ITEM_STATUSES } from '#releases/vocabulary'

/** Maximum number of items of a batch, which one transaction writes. */
export const MAX_BATCH = 500

export const ChecklistItemStatusType = enumOf(ITEM_STATUSES)

export const ChecklistItemComment = entity('ChecklistItemComment', 'A comment on an item.', {
  text: text('Text of the comment.', 5000),
  author: described('Author of the comment.', ActorEntity),
  updatedAt: instant('When the comment was last changed, in UTC.'),
})
export type ChecklistItemComment = Static<typeof ChecklistItemComment>

export const ChecklistItemStatus = entity(
  'ChecklistItemStatus',
  'Status of an item in one release.',
  {
    type: described('The status; legal values depend on the kind.', ChecklistItemStatusType),
    updatedAt: nullable(instant('When the status was last set, in UTC; null if it never was.')),
    updatedBy: nullable(described('Who last set the status; null if nobody did.', ActorEntity)),
    comment: nullable(described('The comment on the item; null if none.', ChecklistItemComment)),
  }
)

const ChecklistItemPlacement = entity(
  'ChecklistItemPlacement',
  'The step an item belongs to, and its position there.',
  {
    stepConfigId: nullable(
      id('Id of the step in the workflow; null if the item applies to any step of the type.')
    ),
    stepType: nullable(
      described('Type of the step; null if the step is named by id.', ReleaseStepTypeSchema)
    ),
    position: count('Position among the items of the step, from 0.'),
  }
)

export const ItemOwner = object('Owner of an item.', {
  type: enumOf(ITEM_OWNER_TYPES, 'A user, a group, or the release pilot.'),
  id: nullable(id('Id of the user or group; null for the release pilot.')),
  name: text('Display name.', 320),
})
export type ItemOwner = Static<typeof ItemOwner>

const ItemApproval = entity('ItemApproval', 'Approval by one person.', {
  actor: described('Who approved.', ActorEntity),
  at: instant('Time of approval, in UTC.'),
  comment: Type.Optional(text('Their comment; absent if none.', 5000)),
  brokenGlass: Type.Optional(
    flag('Whether an admin approved alone, against the rules; `comment` has the reason.')
  ),
})

export const ChecklistItemEntity = entity(
  'ChecklistItemEntity',
  'A task in a step, either the template of the app or its copy in a release.',
  {
    id: id('Id of the item, the same in every release.'),
    appId: nonEmpty('Id of the app.', 200),
    kind: enumOf(ITEM_KINDS, 'Kind of item; determines its legal statuses and its step.'),
    title: nonEmpty('What to do.', 200),
    description: nullable(text('Instructions; null if none.', 10_000)),
    releaseTypes: list(
      'Release types that get the item; all by default.',
      enumOf(RELEASE_TYPES, 'A release type.'),
      RELEASE_TYPES.length
    ),
    owners: list('Owners of the item; empty if none.', ItemOwner, 50),
    required: flag('Whether the step requires it; true by default.'),
    notifyOnCompletion: flag('Whether to notify people on completion; true by default.'),
    placement: described('Step of the item.', ChecklistItemPlacement),
    releaseId: nullable(releaseId('Release of a one-off item; null for all matching releases.')),
    status: nullable(described('Status of the item; null outside a release.', ChecklistItemStatus)),
    requiredApprovals: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_REQUIRED_APPROVALS,
        description: 'Approvals only: number of people who must approve.',
      })
    ),
    fourEyes: Type.Optional(
      flag('Approvals only: whether authors of the release or its texts cannot approve.')
    ),
    approvals: Type.Optional(
      list('Approvals in a release only: approvals of its current content.', ItemApproval, 100)
    ),
    demand: Type.Optional(
      described('Why the service requires the item; absent if people created it.', ItemDemand)
    ),
    createdAt: instant('When the item was created, in UTC.'),
    updatedAt: instant('When the item last changed, in UTC; in a release, when its copy did.'),
  }
)
export type ChecklistItemEntity = Static<typeof ChecklistItemEntity>

const error = {
  error: text('Human-readable reason for the failure.', 1000),
  code: nonEmpty('Stable code of the error.', 64),
}

const BatchCreateChecklistItemError = entity(
  'BatchCreateChecklistItemError',
  'An item of a batch that could not be created.',
  { index: count('Index in the batch, from 0.'), ...error }
)

const BatchChecklistItemIdError = entity(
  'BatchChecklistItemIdError',
  'An item of a batch that was not changed.',
  { id: id('Id given in the request.'), ...error }
)

export const BatchCreateChecklistItemsResponse = entity(
  'BatchCreateChecklistItemsResponse',
  'Created and failed items of a batch.',
  {
    created: list('The created items, in order.', ChecklistItemEntity, MAX_BATCH),
    errors: list('The failed items.', BatchCreateChecklistItemError, MAX_BATCH),
  }
)

export const BatchUpdateChecklistItemStatusesResponse = entity(
  'BatchUpdateChecklistItemStatusesResponse',
  'Updated and failed items of a batch.',
  {
    updated: list('The updated items of the release.', ChecklistItemEntity, MAX_BATCH),
    errors: list('The failed items.', BatchChecklistItemIdError, MAX_BATCH),
  }
)

export const BatchDeleteChecklistItemsResponse = entity(
  'BatchDeleteChecklistItemsResponse',
  'Deleted and failed items of a batch.',
  {
    deleted: list('Ids of the deleted items.', id('Id of an item.'), MAX_BATCH),
    errors: list('The failed items.', BatchChecklistItemIdError, MAX_BATCH),
  }
)

const RegressionTestingTestRunStatusEntity = entity(
  'RegressionTestingTestRunStatusEntity',
  'The tests of a run that have the same status.',
  {
    type: enumOf(TEST_RUN_STATUSES, 'Status of the tests.'),
    label: nonEmpty('Name of the status in the test management system.', 100),
    count: count('Number of tests.'),
  }
)

const RegressionTestingTestRunFailureEntity = entity(
  'RegressionTestingTestRunFailureEntity',
  'A test of a run that failed or is blocked.',
  {
    id: id('Id of the test in that system.'),
    title: text('Title of the test.', 200),
    status: nonEmpty('Status of the test as that system names it.', 64),
    assignee: nullable(text('Person assigned; null if none.', 200)),
  }
)

export const RegressionTestingTestRunEntity = entity(
  'RegressionTestingTestRunEntity',
  'A run of tests in a test management system.',
  {
    id: id('Id of the run in that system.'),
    name: nonEmpty('Name of the run.', 200),
    url: nullable(url('URL of the run; null if the system provides none.')),
    provider: nonEmpty('The test management system, such as `testrail`.', 64),
    statuses: list('Tests by status.', RegressionTestingTestRunStatusEntity, 50),
    total: count('Number of tests in the run.'),
    failures: list(
      'The first hundred failed and blocked tests by name; read again when their number changes.',
      RegressionTestingTestRunFailureEntity,
      100
    ),
    passed: percentage('Percentage of tests that passed.'),
  }
)

export const ApprovalReleaseStepData = entity(
  'ApprovalReleaseStepData',
  'Data of an approvals step.',
  {
    items: list('Approval items, by position.', ChecklistItemEntity, 10_000),
    approvedCount: count('Number of approved items.'),
    totalCount: count('Number of approval items.'),
  }
)

export const RegressionReleaseStepData = entity(
  'RegressionReleaseStepData',
  'Data of a regression testing step.',
  {
    regressionStatus: described(
      'Regression testing status of the release.',
      ReleaseRegressionTestingStatusSchema
    ),
    verdict: nullable(
      object('Status set manually, which overrides the items; null if none.', {
        status: described('The status set.', ReleaseRegressionTestingStatusSchema),
        setBy: nullable(described('Who set the status; null if not recorded.', ActorEntity)),
        setAt: nullable(instant('When the status was set, in UTC; null if not recorded.')),
        comment: nullable(text('Their comment; null if none.', 10_000)),
        url: nullable(text('Their URL; null if none.', 2048)),
        failedItems: count('Number of failed or blocked items it overrides.'),
        explanation: nullable(text('Explanation that it overrides failures; null if none.', 1000)),
      })
    ),
    items: list('Regression items, by position.', ChecklistItemEntity, 10_000),
    testRuns: list('Test runs of the step.', RegressionTestingTestRunEntity, 1000),
  }
)

/** The data of runs of regression testing steps. */
export const RegressionStepRunData = entity(
  'RegressionStepRunData',
  'Data of a run of a regression testing step.',
  {
    regressionStatus: nullable(
      described(
        'Manually set status of the run; null while its items decide.',
        ReleaseRegressionTestingStatusSchema
      )
    ),
    comment: nullable(text('Comment on the status; null if none.', 10_000)),
    url: nullable(text('URL of the test report; null if none.', 2048)),
    setBy: nullable(described('Who set the status manually; null if nobody did.', ActorEntity)),
    setAt: nullable(instant('When the status was set manually, in UTC; null if it never was.')),
    testRuns: list(
      'Runs in a test management system; empty without one.',
      RegressionTestingTestRunEntity,
      1000
    ),
  }
)
