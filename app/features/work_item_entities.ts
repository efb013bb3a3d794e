import { Type } from '@sinclair/typebox'
import {
  described,
  entity,
  flag,
  id,
  instant,
  list,
  named,
  nonEmpty,
  nullable,
  text,
  url,
  enumOf,
} from '#foundation/core/schemas'
import { CODE_STATUSES, MAX_CODE, PULL_REQUEST_STATUSES } from './vocabulary.js'

export const WorkItemCodeCommit = entity('WorkItemCodeCommit', 'A commit of a work item.', {
  type: enumOf(['commit'], 'Always `commit`.'),
  hash: nonEmpty('Hash of the commit.', 64),
  message: nullable(text('Message of the commit; null if not yet known.', 10_000)),
  author: nullable(text('Author as named by version control or CI; null if unknown.', 320)),
  url: nullable(url('URL of the commit; null if it has no page.')),
  committedAt: nullable(instant('When it was committed, in UTC; null if unknown.')),
  inRelease: flag('Whether it is on the release branch.'),
})

const PullRequestStatus = named('PullRequestStatus', {
  ...enumOf(PULL_REQUEST_STATUSES),
  description: 'Status of a pull request; `closed` means closed without a merge.',
})

export const WorkItemCodePullRequest = entity(
  'WorkItemCodePullRequest',
  'A pull request of a work item.',
  {
    type: enumOf(['pullRequest'], 'Always `pullRequest`.'),
    number: Type.Integer({ description: 'Number in its repository.', minimum: 1 }),
    title: nullable(text('Title of the pull request; null if not yet known.', 1000)),
    status: nullable(described('Status of the pull request; null if unknown.', PullRequestStatus)),
    url: nullable(url('URL of the pull request; null if it has no page.')),
    author: nullable(text('Author as named by version control; null if unknown.', 320)),
    baseBranch: nullable(nonEmpty('Target branch; null if unknown.', 256)),
    mergedAt: nullable(instant('When it was merged, in UTC; null before.')),
  }
)

const WorkItemTicket = entity('WorkItemTicket', 'A ticket of the issue tracker.', {
  id: nonEmpty('Id in the issue tracker.', 200),
  key: nonEmpty('Key of the ticket, such as `SHOP-2231`.', 200),
  title: nullable(text('Title of the ticket; null if not yet known.', 1000)),
  status: nullable(nonEmpty('Status as named by the tracker; null if unknown.', 100)),
  done: flag('Whether the status counts as done; false while unknown.'),
  url: nullable(url('URL of the ticket; null if the tracker gives none.')),
  assignee: nullable(text('Person assigned; null if none.', 320)),
  fixVersions: list('Versions it is planned for.', nonEmpty('A version.', 100), 100),
})

const CodeStatus = enumOf(CODE_STATUSES)

const CodeType = named('CodeType', {
  ...enumOf(['commit', 'pullRequest']),
  description: 'Type of the code of a work item.',
})

const code = Type.Unsafe({
  description: 'A commit or a pull request, by its `type`.',
  oneOf: [WorkItemCodeCommit, WorkItemCodePullRequest],
  discriminator: {
    propertyName: 'type',
    mapping: {
      commit: '#/components/schemas/WorkItemCodeCommit',
      pullRequest: '#/components/schemas/WorkItemCodePullRequest',
    },
  },
})

/** Members of a work item, wherever it is shown. */
export const workItemMembers = {
  id: id('Id of the work item.'),
  ticket: nullable(
    described('Ticket of the work item; null for code without one.', WorkItemTicket)
  ),
  code: list('Its commits and pull requests.', code, MAX_CODE),
  codeStatus: described('Status of its code.', CodeStatus),
  codeType: nullable(described('Type of its code; null without code.', CodeType)),
}

export const WorkItem = entity('WorkItem', 'A change: its ticket and its code.', workItemMembers)
