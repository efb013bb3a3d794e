import { APP, STEP_CONFIGS } from '#apps/examples'
import { ADA, GRACE } from '#organizations/examples'
import { RELEASE_BRANCH, RELEASE_ID, RUNS, STEPS, VERSION } from '#releases/examples'
import type { FixRequestEntity } from './entities.js'
import type {
  FixRequestFormFieldsSettingsEntity,
  TriageIssueEntity,
} from './triage/triage_entities.js'

const commit = '3e8d5a1c9b7f2046e1d8c5a3b9f07e42d6c1a85b'
const pullRequest = {
  type: 'pullRequest',
  number: 2231,
  title: 'Keep the session after a restart',
  status: 'open',
  url: 'https://git.acme.example/acme/ios/pull/2231',
  author: ADA.name,
  baseBranch: RELEASE_BRANCH,
  mergedAt: null as string | null,
}
const workItem = {
  id: 'wi_4hPd0VfJ6tSe2ByUo8Na',
  ticket: {
    id: '10482',
    key: 'SHOP-2231',
    title: 'Session is lost after a restart',
    status: 'In review',
    done: false,
    url: 'https://tickets.acme.example/browse/SHOP-2231',
    assignee: ADA.name,
    fixVersions: [VERSION],
  },
  code: [
    {
      type: 'commit',
      hash: commit,
      message: 'Keep the session after a restart',
      author: ADA.name,
      url: `https://git.acme.example/acme/ios/commit/${commit}`,
      committedAt: '2026-11-17T07:58:00.000Z',
      inRelease: false,
    },
    pullRequest,
  ],
  codeStatus: 'inProgress',
  codeType: 'pullRequest',
}

const created = {
  id: 'fix_7nTy3KbZ9wGc1RqLx5Ms',
  status: 'pending',
  title: 'Session is lost after a restart',
  description: 'Every user has to log in again.',
  requester: ADA,
  approvals: [] as object[],
  rejections: [] as object[],
  requiredApprovals: 1,
  workItem,
  triageIssueId: null,
  createdAt: '2026-11-17T08:15:00.000Z',
  approvedAt: null as string | null,
  rejectedAt: null as string | null,
  mergedAt: null as string | null,
  rejectionReason: null as string | null,
}
const approved = {
  ...created,
  status: 'approved',
  approvals: [{ user: GRACE, at: '2026-11-17T09:40:00.000Z' }],
  approvedAt: '2026-11-17T09:40:00.000Z',
}
const merged = {
  ...approved,
  status: 'merged',
  workItem: {
    ...workItem,
    code: [
      { ...workItem.code[0], inRelease: true },
      { ...pullRequest, status: 'merged', mergedAt: '2026-11-17T11:20:00.000Z' },
    ],
    codeStatus: 'inRelease',
  },
  mergedAt: '2026-11-17T11:20:00.000Z',
}
/** Another one, which had to wait for the next release. */
const rejected = {
  ...created,
  id: 'fix_2vLk8GdX5oRh0SmEp4Qa',
  title: 'New icon for the share button',
  description: 'It does not fit the other icons.',
  workItem: null,
  status: 'rejected',
  createdAt: '2026-11-17T10:05:00.000Z',
  rejections: [{ user: GRACE, at: '2026-11-17T10:30:00.000Z' }],
  rejectedAt: '2026-11-17T10:30:00.000Z',
  rejectionReason: 'It can wait for 4.3.0.',
}

/** Fix requests of the release, by what has just happened to them. */
export const exampleFixes = { created, approved, merged, rejected }

const pullOpen = {
  code: 'pull_request_open',
  message: `#${pullRequest.number} ${pullRequest.title} is not merged yet.`,
  pullRequestNumber: pullRequest.number,
}
const approvalMissing = {
  code: 'approvals_missing',
  message: '1 of 1 approval missing.',
  pullRequestNumber: null,
}
const WAITS: Readonly<Record<string, object[]>> = {
  pending: [pullOpen, approvalMissing],
  approved: [pullOpen],
}

const whole = (reported: typeof created | typeof rejected): FixRequestEntity =>
  ({
    ...reported,
    releaseId: RELEASE_ID,
    commits: reported.workItem?.code.filter(({ type }) => type === 'commit') ?? [],
    pullRequests: reported.workItem?.code.filter(({ type }) => type === 'pullRequest') ?? [],
    formFields: [{ fieldId: 'risk', label: 'How risky is it?', value: 'low' }],
    stepRunId: RUNS.regressionTesting,
    failure: null,
    fourEyes: true,
    wayIn: 'cherryPick',
    mergesCommit: null,
    waitsFor: WAITS[reported.status] ?? [],
  }) as FixRequestEntity

/** Returns a request as operations on it show it, by what has just happened to it. */
export const exampleFixRequest = (moment: 'created' | 'approved' | 'rejected'): FixRequestEntity =>
  whole(exampleFixes[moment])

export const exampleFixInput = {
  title: created.title,
  commitHashes: [commit],
  pullRequestNumbers: [pullRequest.number],
  ticketId: workItem.ticket.id,
}

export const exampleFixPlace = {
  release: { id: RELEASE_ID, version: VERSION, releaseName: 'Winter', status: 'active' },
  stepRun: {
    id: RUNS.regressionTesting,
    stepId: STEPS.regressionTesting,
    stepConfigId: STEP_CONFIGS.regressionTesting,
  },
}

export const exampleForm: FixRequestFormFieldsSettingsEntity = {
  requireFixApprovals: true,
  requiredApprovals: 1,
  fourEyes: true,
  enableFixStatusChecks: false,
  fields: [
    {
      id: 'risk',
      label: 'How risky is it?',
      type: 'select',
      required: true,
      options: ['low', 'high'],
      helpText: 'High needs another round of regression testing.',
    },
    {
      id: 'tested',
      label: 'I tested it on a device',
      type: 'checkbox',
      required: false,
      options: null,
      helpText: null,
    },
  ],
}

/** Example of a changed request form. */
export const exampleFormInput = {
  requiredApprovals: 1,
  fields: [
    {
      id: 'risk',
      label: 'How risky is it?',
      type: 'select',
      required: true,
      options: ['low', 'high'],
    },
    { id: 'tested', label: 'I tested it on a device', type: 'checkbox' },
  ],
}

export const exampleTriageIssue: TriageIssueEntity = {
  id: 'issue_8wKd3TqZ6nHy1LsVb5Rc',
  appId: APP.id,
  title: 'Session is lost after a restart',
  description: 'Every user has to log in again.',
  source: 'manual',
  sourceUrl: 'https://crashes.acme.example/issues/7731',
  severity: 'high',
  status: 'open',
  affectedVersions: [VERSION],
  releaseId: RELEASE_ID,
  metrics: {
    eventCount: 412,
    userCount: 388,
    firstSeenAt: '2026-11-16T13:40:00.000Z',
    lastSeenAt: '2026-11-17T07:30:00.000Z',
  },
  fixRequestId: null,
  createdAt: '2026-11-17T07:35:00.000Z',
  updatedAt: '2026-11-17T07:35:00.000Z',
}

export const exampleTriageInput = {
  title: exampleTriageIssue.title,
  source: exampleTriageIssue.source,
  severity: exampleTriageIssue.severity,
  affectedVersions: exampleTriageIssue.affectedVersions,
  metrics: { eventCount: 412, userCount: 388 },
}
