import { Type, type Static } from '@sinclair/typebox'
import { ReleaseStepTypeSchema } from '#apps/entities'
import { ActorEntity, instant, named, nullable, words } from '#foundation/core/schemas'
import { ReleaseRegressionTestingStatusSchema } from '#releases/entities'
import { TEST_RUN_STATUSES } from '#releases/vocabulary'
import { RELEASE_TYPES } from '#workflow/vocabulary'
import { MAX_REQUIRED_APPROVALS } from './approvals.js'
import { ITEM_KINDS, ITEM_OWNER_TYPES, ITEM_STATUSES } from '#releases/vocabulary'

export const ChecklistItemStatusType = words(ITEM_STATUSES)

export const ChecklistItemComment = named(
  'ChecklistItemComment',
  Type.Object({ text: Type.String(), author: ActorEntity, updatedAt: instant() })
)
export type ChecklistItemComment = Static<typeof ChecklistItemComment>

export const ChecklistItemStatus = named(
  'ChecklistItemStatus',
  Type.Object({
    type: ChecklistItemStatusType,
    updatedAt: nullable(instant()),
    updatedBy: nullable(ActorEntity),
    comment: nullable(ChecklistItemComment),
  })
)

export const ChecklistItemPlacement = named(
  'ChecklistItemPlacement',
  Type.Object({
    stepConfigId: nullable(Type.String()),
    stepType: nullable(ReleaseStepTypeSchema),
    position: Type.Integer({ minimum: 0 }),
  })
)

export const ItemOwner = Type.Object({
  type: words(ITEM_OWNER_TYPES),
  id: nullable(Type.String()),
  name: Type.String(),
})
export type ItemOwner = Static<typeof ItemOwner>

export const ItemApproval = named(
  'ItemApproval',
  Type.Object({
    actor: ActorEntity,
    at: instant(),
    comment: Type.Optional(Type.String()),
    brokenGlass: Type.Optional(
      Type.Boolean({ description: 'An admin approved alone, against the rules; see `comment`.' })
    ),
  })
)

export const ChecklistItemEntity = named(
  'ChecklistItemEntity',
  Type.Object({
    id: Type.String(),
    appId: Type.String(),
    kind: words(ITEM_KINDS),
    title: Type.String(),
    description: nullable(Type.String()),
    releaseTypes: Type.Array(words(RELEASE_TYPES)),
    owners: Type.Array(ItemOwner),
    required: Type.Boolean(),
    notifyOnCompletion: Type.Boolean(),
    placement: ChecklistItemPlacement,
    releaseId: nullable(Type.String()),
    status: nullable(ChecklistItemStatus),
    requiredApprovals: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_REQUIRED_APPROVALS,
        description: 'Approvals only: how many people have to approve.',
      })
    ),
    fourEyes: Type.Optional(
      Type.Boolean({
        description: 'Approvals only: whoever made the release or its texts cannot approve.',
      })
    ),
    approvals: Type.Optional(
      Type.Array(ItemApproval, {
        description: 'Approvals in a release only: who approved what it holds now.',
      })
    ),
    createdAt: instant(),
    updatedAt: instant(),
  })
)
export type ChecklistItemEntity = Static<typeof ChecklistItemEntity>

export const BatchCreateChecklistItemError = named(
  'BatchCreateChecklistItemError',
  Type.Object({
    index: Type.Integer({ minimum: 0, description: 'Place in the batch, from 0.' }),
    error: Type.String(),
    code: Type.String(),
  })
)

export const BatchChecklistItemIdError = named(
  'BatchChecklistItemIdError',
  Type.Object({ id: Type.String(), error: Type.String(), code: Type.String() })
)

export const BatchCreateChecklistItemsResponse = named(
  'BatchCreateChecklistItemsResponse',
  Type.Object({
    created: Type.Array(ChecklistItemEntity, { maxItems: 500 }),
    errors: Type.Array(BatchCreateChecklistItemError, { maxItems: 500 }),
  })
)

export const BatchUpdateChecklistItemStatusesResponse = named(
  'BatchUpdateChecklistItemStatusesResponse',
  Type.Object({
    updated: Type.Array(ChecklistItemEntity, { maxItems: 500 }),
    errors: Type.Array(BatchChecklistItemIdError, { maxItems: 500 }),
  })
)

export const BatchDeleteChecklistItemsResponse = named(
  'BatchDeleteChecklistItemsResponse',
  Type.Object({
    deleted: Type.Array(Type.String(), { maxItems: 500 }),
    errors: Type.Array(BatchChecklistItemIdError, { maxItems: 500 }),
  })
)

export const RegressionTestingTestRunEntity = named(
  'RegressionTestingTestRunEntity',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    url: nullable(Type.String()),
    provider: Type.String(),
    statuses: Type.Array(
      named(
        'RegressionTestingTestRunStatusEntity',
        Type.Object({
          type: words(TEST_RUN_STATUSES),
          label: Type.String(),
          count: Type.Integer({ minimum: 0 }),
        })
      )
    ),
    total: Type.Integer({ minimum: 0 }),
    passed: Type.Number({ minimum: 0, maximum: 100 }),
  })
)

export const ApprovalReleaseStepData = named(
  'ApprovalReleaseStepData',
  Type.Object({
    items: Type.Array(ChecklistItemEntity),
    approvedCount: Type.Integer({ minimum: 0 }),
    totalCount: Type.Integer({ minimum: 0 }),
  })
)

export const RegressionReleaseStepData = named(
  'RegressionReleaseStepData',
  Type.Object({
    regressionStatus: ReleaseRegressionTestingStatusSchema,
    verdict: nullable(
      Type.Object(
        {
          status: ReleaseRegressionTestingStatusSchema,
          setBy: nullable(ActorEntity),
          setAt: nullable(instant()),
          comment: nullable(Type.String()),
          url: nullable(Type.String()),
          failedItems: Type.Integer({ minimum: 0 }),
          explanation: nullable(Type.String()),
        },
        {
          description:
            'What a person set by hand, which stands over the items: with how many failed items it stands over.',
        }
      )
    ),
    items: Type.Array(ChecklistItemEntity),
    testRuns: Type.Array(RegressionTestingTestRunEntity),
  })
)
