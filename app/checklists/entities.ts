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
  words,
} from '#foundation/core/schemas'
import { ReleaseRegressionTestingStatusSchema, releaseId } from '#releases/entities'
import { TEST_RUN_STATUSES } from '#releases/vocabulary'
import { RELEASE_TYPES } from '#workflow/vocabulary'
import { ItemDemand } from './demanded/demand.js'
import { MAX_REQUIRED_APPROVALS } from './approvals/approvals.js'
import { ITEM_KINDS, ITEM_OWNER_TYPES, ITEM_STATUSES } from '#releases/vocabulary'

/** Maximum number of items of a batch, which one transaction writes. */
export const MAX_BATCH = 500

export const ChecklistItemStatusType = words(ITEM_STATUSES)

export const ChecklistItemComment = entity('ChecklistItemComment', 'A comment on an item.', {
  text: text('What was written.', 5000),
  author: described('Who wrote it.', ActorEntity),
  updatedAt: instant('When it was last written, in UTC.'),
})
export type ChecklistItemComment = Static<typeof ChecklistItemComment>

export const ChecklistItemStatus = entity(
  'ChecklistItemStatus',
  'What an item has come to in one release.',
  {
    type: described('The status; which are legal depends on the kind.', ChecklistItemStatusType),
    updatedAt: nullable(instant('When it was last set, in UTC; null while nobody has.')),
    updatedBy: nullable(described('Who set it last; null while nobody has.', ActorEntity)),
    comment: nullable(
      described('The comment on the item; null without one.', ChecklistItemComment)
    ),
  }
)

const ChecklistItemPlacement = entity(
  'ChecklistItemPlacement',
  'The step an item belongs to, and its place there.',
  {
    stepConfigId: nullable(
      id('Id of that one step in the workflow; null if any step of the type will do.')
    ),
    stepType: nullable(
      described('Type of the step; null if the step is named by id.', ReleaseStepTypeSchema)
    ),
    position: count('Place among the items of the step, from 0.'),
  }
)

export const ItemOwner = object('Who takes care of an item.', {
  type: words(ITEM_OWNER_TYPES, 'A user, a group, or whoever pilots the release.'),
  id: nullable(id('Id of the user or group; null for the release pilot.')),
  name: text('Name to show.', 320),
})
export type ItemOwner = Static<typeof ItemOwner>

const ItemApproval = entity('ItemApproval', 'The yes of one person.', {
  actor: described('Who approved.', ActorEntity),
  at: instant('When, in UTC.'),
  comment: Type.Optional(text('What they wrote; absent without words.', 5000)),
  brokenGlass: Type.Optional(
    flag('Whether an admin approved alone, against the rules; `comment` has the reason.')
  ),
})

export const ChecklistItemEntity = entity(
  'ChecklistItemEntity',
  'Something to be done in a step: as the app defines it, or as a release holds it.',
  {
    id: id('Id of the item, the same in every release.'),
    appId: nonEmpty('Id of the app.', 200),
    kind: words(ITEM_KINDS, 'Which statuses are legal, and which step it belongs to.'),
    title: nonEmpty('What is to be done.', 200),
    description: nullable(text('How it is done; null without words.', 10_000)),
    releaseTypes: list(
      'Types of release that get the item; all by default.',
      words(RELEASE_TYPES, 'A type of release.'),
      RELEASE_TYPES.length
    ),
    owners: list('Who takes care of it; empty for nobody in particular.', ItemOwner, 50),
    required: flag('Whether its step waits for it; true by default.'),
    notifyOnCompletion: flag('Whether to notify people when it is done; true by default.'),
    placement: described('The step it belongs to.', ChecklistItemPlacement),
    releaseId: nullable(releaseId('Release of a one-off item; null for every matching release.')),
    status: nullable(
      described('What it has come to; null outside of a release.', ChecklistItemStatus)
    ),
    requiredApprovals: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_REQUIRED_APPROVALS,
        description: 'Approvals only: how many people have to approve.',
      })
    ),
    fourEyes: Type.Optional(
      flag('Approvals only: whoever made the release or its texts cannot approve.')
    ),
    approvals: Type.Optional(
      list('Approvals in a release only: who approved what it holds now.', ItemApproval, 100)
    ),
    demand: Type.Optional(
      described('Why the service asks for it; absent for an item of people.', ItemDemand)
    ),
    createdAt: instant('When it was made, in UTC.'),
    updatedAt: instant('When it last changed, in UTC; in a release, when its copy did.'),
  }
)
export type ChecklistItemEntity = Static<typeof ChecklistItemEntity>

const error = {
  error: text('Why the item failed, for people.', 1000),
  code: nonEmpty('Stable code of the error.', 64),
}

const BatchCreateChecklistItemError = entity(
  'BatchCreateChecklistItemError',
  'An item of a batch that was not made.',
  { index: count('Place in the batch, from 0.'), ...error }
)

const BatchChecklistItemIdError = entity(
  'BatchChecklistItemIdError',
  'An item of a batch that was left as it was.',
  { id: id('Id as the request gave it.'), ...error }
)

export const BatchCreateChecklistItemsResponse = entity(
  'BatchCreateChecklistItemsResponse',
  'What was made of a batch, and what was not.',
  {
    created: list('The items that were made, in order.', ChecklistItemEntity, MAX_BATCH),
    errors: list('The items that failed.', BatchCreateChecklistItemError, MAX_BATCH),
  }
)

export const BatchUpdateChecklistItemStatusesResponse = entity(
  'BatchUpdateChecklistItemStatusesResponse',
  'What was set of a batch, and what was not.',
  {
    updated: list('The items as the release now holds them.', ChecklistItemEntity, MAX_BATCH),
    errors: list('The items that failed.', BatchChecklistItemIdError, MAX_BATCH),
  }
)

export const BatchDeleteChecklistItemsResponse = entity(
  'BatchDeleteChecklistItemsResponse',
  'What was deleted of a batch, and what was not.',
  {
    deleted: list('Ids of the items that are gone.', id('Id of an item.'), MAX_BATCH),
    errors: list('The items that failed.', BatchChecklistItemIdError, MAX_BATCH),
  }
)

const RegressionTestingTestRunStatusEntity = entity(
  'RegressionTestingTestRunStatusEntity',
  'The tests of a run that have come to the same.',
  {
    type: words(TEST_RUN_STATUSES, 'What they have come to.'),
    label: nonEmpty('What the test management system calls it.', 100),
    count: count('How many tests.'),
  }
)

const RegressionTestingTestRunFailureEntity = entity(
  'RegressionTestingTestRunFailureEntity',
  'A test of a run that failed or is blocked.',
  {
    id: id('Id of the test in that system.'),
    title: text('Its title.', 200),
    status: nonEmpty('Its status in the words of that system.', 64),
    assignee: nullable(text('Whose it is; null for nobody.', 200)),
  }
)

export const RegressionTestingTestRunEntity = entity(
  'RegressionTestingTestRunEntity',
  'A run of tests in a test management system.',
  {
    id: id('Id of the run in that system.'),
    name: nonEmpty('Name of the run.', 200),
    url: nullable(url('Address of the run; null if the system gives none.')),
    provider: nonEmpty('The test management system, such as `testrail`.', 64),
    statuses: list('Its tests by status.', RegressionTestingTestRunStatusEntity, 50),
    total: count('How many tests the run has.'),
    failures: list(
      'Its failed and blocked tests by name, the first hundred; read anew where their numbers change.',
      RegressionTestingTestRunFailureEntity,
      100
    ),
    passed: percentage('Share of its tests that passed, in percent.'),
  }
)

export const ApprovalReleaseStepData = entity(
  'ApprovalReleaseStepData',
  'Data of an approvals step.',
  {
    items: list('Its approval items, by position.', ChecklistItemEntity, 10_000),
    approvedCount: count('How many of them are approved.'),
    totalCount: count('How many there are.'),
  }
)

export const RegressionReleaseStepData = entity(
  'RegressionReleaseStepData',
  'Data of a regression testing step.',
  {
    regressionStatus: described(
      'What regression testing of the release has come to.',
      ReleaseRegressionTestingStatusSchema
    ),
    verdict: nullable(
      object('What a person set by hand, which stands over the items; null without one.', {
        status: described('What was set.', ReleaseRegressionTestingStatusSchema),
        setBy: nullable(described('Who set it; null if that was not recorded.', ActorEntity)),
        setAt: nullable(instant('When it was set, in UTC; null if that was not recorded.')),
        comment: nullable(text('What they said about it; null for nothing.', 10_000)),
        url: nullable(text('Address they gave with it; null without one.', 2048)),
        failedItems: count('How many failed or blocked items it stands over.'),
        explanation: nullable(text('That it stands over failures; null while none failed.', 1000)),
      })
    ),
    items: list('Its regression items, by position.', ChecklistItemEntity, 10_000),
    testRuns: list('Test runs that belong to it.', RegressionTestingTestRunEntity, 1000),
  }
)

/** The data of runs of regression testing steps. */
export const RegressionStepRunData = entity(
  'RegressionStepRunData',
  'What a run of a regression testing step holds.',
  {
    regressionStatus: nullable(
      described(
        'The status a person gave the run; null as long as its items decide.',
        ReleaseRegressionTestingStatusSchema
      )
    ),
    comment: nullable(text('What was said to it; null for nothing.', 10_000)),
    url: nullable(text('Where to read more about the tests; null if none is stated.', 2048)),
    setBy: nullable(described('Who gave the status by hand; null before.', ActorEntity)),
    setAt: nullable(instant('When the status was given by hand, in UTC; null before.')),
    testRuns: list(
      'Runs of a test management service; empty without one.',
      RegressionTestingTestRunEntity,
      1000
    ),
  }
)
