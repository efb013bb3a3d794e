import { Type } from '@sinclair/typebox'
import { instant, named, nullable, words } from '#foundation/core/schemas'
import { ReleaseStatusSchema } from '#releases/entities'

export const FixRequestUser = named(
  'FixRequestUser',
  Type.Object({ id: Type.String(), email: Type.String(), name: nullable(Type.String()) })
)

const WorkItemCodeCommit = named(
  'WorkItemCodeCommit',
  Type.Object({
    type: words(['commit']),
    hash: Type.String(),
    message: Type.String(),
    author: Type.String(),
    url: nullable(Type.String()),
    committedAt: instant(),
    inRelease: Type.Boolean(),
  })
)

const WorkItemCodePullRequest = named(
  'WorkItemCodePullRequest',
  Type.Object({
    type: words(['pullRequest']),
    number: Type.Integer({ minimum: 1 }),
    title: Type.String(),
    status: named('PullRequestStatus', words(['draft', 'open', 'merged', 'closed'])),
    url: nullable(Type.String()),
    author: Type.String(),
    baseBranch: Type.String(),
    mergedAt: nullable(instant()),
  })
)

export const WebhookFixRequestWorkItemEntity = named(
  'WebhookFixRequestWorkItemEntity',
  Type.Object({
    id: Type.String(),
    ticket: nullable(
      named(
        'WorkItemTicket',
        Type.Object({
          id: Type.String(),
          key: Type.String(),
          title: Type.String(),
          status: Type.String(),
          done: Type.Boolean(),
          url: nullable(Type.String()),
          assignee: nullable(Type.String()),
          fixVersions: Type.Array(Type.String()),
        })
      )
    ),
    code: Type.Array(Type.Union([WorkItemCodeCommit, WorkItemCodePullRequest])),
    codeStatus: named(
      'CodeStatus',
      words(['missing', 'inProgress', 'merged', 'inRelease', 'released'])
    ),
    codeType: nullable(named('CodeType', words(['commit', 'pullRequest']))),
  })
)

const verdict = () => Type.Array(Type.Object({ user: FixRequestUser, at: instant() }))

export const WebhookFixRequestEntity = named(
  'WebhookFixRequestEntity',
  Type.Object({
    id: Type.String(),
    status: words(['pending', 'approved', 'rejected', 'merged', 'failed']),
    title: Type.String(),
    description: nullable(Type.String()),
    requester: FixRequestUser,
    approvals: verdict(),
    rejections: verdict(),
    requiredApprovals: Type.Integer({ minimum: 0 }),
    workItem: nullable(WebhookFixRequestWorkItemEntity),
    triageIssueId: nullable(Type.String()),
    createdAt: instant(),
    approvedAt: nullable(instant()),
    rejectedAt: nullable(instant()),
    mergedAt: nullable(instant()),
    rejectionReason: nullable(Type.String()),
  })
)

export const WebhookFixRequestReleaseEntity = named(
  'WebhookFixRequestReleaseEntity',
  Type.Object({
    id: Type.String(),
    version: Type.String(),
    releaseName: nullable(Type.String()),
    status: ReleaseStatusSchema,
  })
)

export const WebhookFixRequestStepRunEntity = named(
  'WebhookFixRequestStepRunEntity',
  Type.Object({ id: Type.String(), stepId: Type.String(), stepConfigId: Type.String() })
)
