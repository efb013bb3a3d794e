import { Type } from '@sinclair/typebox'
import {
  count,
  entity,
  flag,
  here,
  id,
  instant,
  list,
  named,
  nonEmpty,
  nullable,
  object,
  text,
  url,
  words,
} from '#foundation/core/schemas'
import { personMembers } from '#organizations/entities'
import { ReleaseStatusSchema } from '#releases/entities'

export const FixRequestUser = entity(
  'FixRequestUser',
  'A user who has to do with a fix request.',
  personMembers
)

const WorkItemCodeCommit = entity('WorkItemCodeCommit', 'A commit of a work item.', {
  type: words(['commit'], 'Tells a commit from a pull request.'),
  hash: nonEmpty('Hash of the commit.', 64),
  message: text('Message of the commit.', 10_000),
  author: text('Author, as version control names them.', 320),
  url: nullable(url('Address of the commit; null where version control has no page for it.')),
  committedAt: instant('When it was committed, in UTC.'),
  inRelease: flag('Whether it is in the release branch.'),
})

const PullRequestStatus = named('PullRequestStatus', {
  ...words(['draft', 'open', 'merged', 'closed']),
  description: 'Status of a pull request; `closed` is closed without a merge.',
})

const WorkItemCodePullRequest = entity(
  'WorkItemCodePullRequest',
  'A pull request of a work item.',
  {
    type: words(['pullRequest'], 'Tells a pull request from a commit.'),
    number: Type.Integer({ description: 'Number in its repository.', minimum: 1 }),
    title: text('Title of the pull request.', 1000),
    status: here('How far it is.', PullRequestStatus),
    url: nullable(url('Address of the pull request; null where it has no page.')),
    author: text('Author, as version control names them.', 320),
    baseBranch: nonEmpty('Branch it is to be merged into.', 256),
    mergedAt: nullable(instant('When it was merged, in UTC; null before.')),
  }
)

const WorkItemTicket = entity('WorkItemTicket', 'A ticket of the issue tracker.', {
  id: id('Id in the issue tracker.'),
  key: nonEmpty('What people call it, such as `SHOP-2231`.', 64),
  title: text('Title of the ticket.', 1000),
  status: nonEmpty('Status, in the words of the tracker.', 100),
  done: flag('Whether that status counts as done.'),
  url: nullable(url('Address of the ticket; null where the tracker gives none.')),
  assignee: nullable(text('Who works on it; null for nobody.', 320)),
  fixVersions: list('Versions it is planned for.', nonEmpty('A version.', 100), 100),
})

const CodeStatus = named('CodeStatus', {
  ...words(['missing', 'inProgress', 'merged', 'inRelease', 'released']),
  description: 'Where the code of a work item is; `merged` is in the working branch only.',
})

const CodeType = named('CodeType', {
  ...words(['commit', 'pullRequest']),
  description: 'What the code of a work item comes as.',
})

const code = Type.Unsafe({
  description: 'A commit or a pull request, told apart by `type`.',
  oneOf: [WorkItemCodeCommit, WorkItemCodePullRequest],
  discriminator: {
    propertyName: 'type',
    mapping: {
      commit: '#/components/schemas/WorkItemCodeCommit',
      pullRequest: '#/components/schemas/WorkItemCodePullRequest',
    },
  },
})

export const WebhookFixRequestWorkItemEntity = entity(
  'WebhookFixRequestWorkItemEntity',
  'The ticket and code that a fix request brings in.',
  {
    id: id('Id of the work item.'),
    ticket: nullable(here('Its ticket; null for code without one.', WorkItemTicket)),
    code: list('Its commits and pull requests.', code, 1000),
    codeStatus: here('Where its code is.', CodeStatus),
    codeType: nullable(here('What its code comes as; null without code.', CodeType)),
  }
)

const verdicts = (description: string) =>
  list(
    description,
    object('The word of one user.', {
      user: here('Who said it.', FixRequestUser),
      at: instant('When, in UTC.'),
    }),
    100
  )

export const WebhookFixRequestEntity = entity(
  'WebhookFixRequestEntity',
  'A change that should still go into a running release.',
  {
    id: id('Id of the fix request.'),
    status: words(
      ['pending', 'approved', 'rejected', 'merged', 'failed'],
      'How far it is; `failed` when its cherry-pick conflicts.'
    ),
    title: nonEmpty('What is to be fixed.', 200),
    description: nullable(text('Why it cannot wait; null without words.', 10_000)),
    requester: here('Who asks for it.', FixRequestUser),
    approvals: verdicts('Who approved it, in order.'),
    rejections: verdicts('Who rejected it, in order.'),
    requiredApprovals: count('How many users have to approve it.'),
    workItem: nullable(
      here(
        'What it brings in; null until code or a ticket is named.',
        WebhookFixRequestWorkItemEntity
      )
    ),
    triageIssueId: nullable(id('Id of the triage issue it answers; null for none.')),
    createdAt: instant('When it was asked for, in UTC.'),
    approvedAt: nullable(instant('When it had the approvals it needs, in UTC; null before.')),
    rejectedAt: nullable(instant('When it was rejected, in UTC; null unless it was.')),
    mergedAt: nullable(
      instant('When all its code was in the release branch, in UTC; null before.')
    ),
    rejectionReason: nullable(text('Why it was rejected; null unless it was.', 10_000)),
  }
)

export const WebhookFixRequestReleaseEntity = entity(
  'WebhookFixRequestReleaseEntity',
  'The release of a fix request, in short.',
  {
    id: nonEmpty('Id of the release, `<appId>:<version>`.', 240),
    version: nonEmpty('Version of the release.', 32),
    releaseName: nullable(nonEmpty('Name of the release; null without one.', 200)),
    status: here('Status of the release.', ReleaseStatusSchema),
  }
)

export const WebhookFixRequestStepRunEntity = entity(
  'WebhookFixRequestStepRunEntity',
  'The step run a fix request was made at.',
  {
    id: id('Id of the step run.'),
    stepId: id('Id of the step within the release.'),
    stepConfigId: id('Id of the step in the workflow of the app.'),
  }
)
