import { APP, STEP_CONFIGS } from '#apps/examples'
import { ADA, ADA_ACTING, GRACE, GRACE_ACTING, QA_GROUP, QA_KEY } from '#organizations/examples'
import type { ReleaseStepType } from '#workflow/vocabulary'
import type { ChecklistItemEntity } from './entities.js'

const owner = { type: 'group', id: QA_GROUP.id } as const

/** A regression item as the app defines it. */
export const exampleItem: ChecklistItemEntity = {
  id: 'item_8sKq2VbM2wXy7TtZr9Kd',
  appId: APP.id,
  kind: 'regression',
  title: 'Log in with a passkey',
  description: 'On the oldest supported device.',
  releaseTypes: ['major', 'minor', 'point'],
  owners: [{ ...owner, name: QA_GROUP.name }],
  required: true,
  notifyOnCompletion: true,
  placement: { stepConfigId: null, stepType: 'regressionTesting', position: 0 },
  releaseId: null,
  status: null,
  createdAt: '2026-10-05T09:00:00.000Z',
  updatedAt: '2026-10-05T09:00:00.000Z',
}

/** Example input for a regression item. */
export const exampleImpliedInput = {
  title: exampleItem.title,
  description: exampleItem.description,
  releaseTypes: exampleItem.releaseTypes,
  owners: [owner],
}

/** The same item as the release holds it. */
export const exampleReleaseItem: ChecklistItemEntity = {
  ...exampleItem,
  placement: {
    stepConfigId: STEP_CONFIGS.regressionTesting,
    stepType: 'regressionTesting',
    position: 0,
  },
  status: {
    type: 'passed',
    updatedAt: '2026-11-18T10:12:00.000Z',
    updatedBy: QA_KEY,
    comment: {
      text: 'Passed on build 4711.',
      author: QA_KEY,
      updatedAt: '2026-11-18T10:12:00.000Z',
    },
  },
  updatedAt: '2026-11-18T10:12:00.000Z',
}

const ada = { type: 'user', id: ADA.id } as const
const grace = { type: 'user', id: GRACE.id } as const

/** Example input for an approval. */
export const exampleApprovalInput = {
  title: 'Legal agrees',
  description: 'With the texts of the store page.',
  releaseTypes: exampleItem.releaseTypes,
  owners: [ada, grace],
  requiredApprovals: 2,
}

/** An approval item as the app defines it. */
export const exampleApproval: ChecklistItemEntity = {
  ...exampleItem,
  ...exampleApprovalInput,
  id: 'item_2dNw6QyH9fLt4ZsBk1Xo',
  kind: 'approval',
  owners: [
    { ...ada, name: ADA.name },
    { ...grace, name: GRACE.name },
  ],
  placement: { stepConfigId: null, stepType: 'approvals', position: 0 },
  fourEyes: false,
}

/** The same approval with one of two votes. */
const exampleVotedApproval: ChecklistItemEntity = {
  ...exampleApproval,
  placement: { stepConfigId: STEP_CONFIGS.approvals, stepType: 'approvals', position: 0 },
  status: {
    type: 'inProgress',
    updatedAt: '2026-11-17T12:40:00.000Z',
    updatedBy: ADA_ACTING,
    comment: {
      text: 'Waiting for Grace.',
      author: GRACE_ACTING,
      updatedAt: '2026-11-17T13:05:00.000Z',
    },
  },
  approvals: [{ actor: ADA_ACTING, at: '2026-11-17T12:40:00.000Z' }],
  updatedAt: '2026-11-17T13:05:00.000Z',
}

const checklistInput = {
  title: 'Tell support',
  description: 'What changes, and since when.',
  stepType: 'submission',
} as const
export const exampleChecklistInput = { ...checklistInput, owners: [ada] }

/** A checklist item as the app defines it. */
export const exampleChecklistItem: ChecklistItemEntity = {
  ...exampleItem,
  id: 'item_5gUr7AvE3nWi0LdMc8Sy',
  kind: 'checklist',
  title: checklistInput.title,
  description: checklistInput.description,
  releaseTypes: ['major', 'minor', 'point', 'hotfix', 'rollback'],
  owners: [{ ...ada, name: ADA.name }],
  placement: { stepConfigId: null, stepType: checklistInput.stepType, position: 0 },
}

const testing: ChecklistItemEntity = {
  ...exampleReleaseItem,
  status: {
    type: 'inProgress',
    updatedAt: '2026-11-17T13:25:40.118Z',
    updatedBy: QA_KEY,
    comment: null,
  },
  updatedAt: '2026-11-17T13:25:40.118Z',
}

const HELD: Partial<Record<ReleaseStepType, number>> = { regressionTesting: 1, approvals: 1 }

/** Data of items in the example release while it is tested. */
export const exampleSteps = {
  data: {
    regressionTesting: {
      regressionStatus: 'inProgress',
      verdict: null,
      items: [testing],
      testRuns: [],
    },
    approvals: { items: [exampleVotedApproval], approvedCount: 0, totalCount: 1 },
  },
  members: (type: ReleaseStepType) => ({ checklistItems: { total: HELD[type] ?? 0, done: 0 } }),
}

/** An item that the app does not have. */
export const UNKNOWN_ITEM = 'item_0aBc1DeF2gHi3JkL4mNo'
