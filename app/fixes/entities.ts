import { Type, type Static } from '@sinclair/typebox'
import {
  count,
  described,
  email,
  entity,
  flag,
  id,
  instant,
  list,
  nonEmpty,
  nullable,
  object,
  text,
  enumOf,
} from '#foundation/core/schemas'
import {
  WorkItem,
  WorkItemCodeCommit,
  WorkItemCodePullRequest,
  workItemMembers,
} from '#features/work_item_entities'
import { ReleaseStatusSchema } from '#releases/entities'
import {
  FIX_STATUSES,
  MAX_COMMITS,
  MAX_FORM_FIELDS,
  MAX_OPTION,
  MAX_PULL_REQUESTS,
  WAIT_CODES,
  WAYS_IN,
} from './vocabulary.js'

const FixRequestUser = entity(
  'FixRequestUser',
  'A user involved in a fix request, or an API key that acted for itself.',
  {
    id: id('Id of the user or API key.'),
    email: nullable(email('E-mail address of the user; null for an API key.')),
    name: nullable(text('Name of the user or key; null if the user has none.', 320)),
  }
)

const WebhookFixRequestWorkItemEntity = entity(
  'WebhookFixRequestWorkItemEntity',
  'The ticket and code of a fix request.',
  workItemMembers
)

const verdicts = (description: string) =>
  list(
    description,
    object('The decision of one user.', {
      user: described('Who decided.', FixRequestUser),
      at: instant('Time of the decision, in UTC.'),
    }),
    100
  )

/** Members of a request in every representation. */
const reportedMembers = {
  id: id('Id of the fix request.'),
  status: enumOf(
    FIX_STATUSES,
    'Status; `failed` if its cherry-pick conflicts or the release no longer has its code.'
  ),
  title: nonEmpty('What is to be fixed.', 200),
  description: nullable(text('Why the fix cannot wait; null if not given.', 10_000)),
  requester: described('Who requested the fix.', FixRequestUser),
  approvals: verdicts('Approvals, in order.'),
  rejections: verdicts('Rejections, in order.'),
  requiredApprovals: count('Number of required approvals; 0 if none.'),
  triageIssueId: nullable(id('Id of its triage issue; null if none.')),
  createdAt: instant('When it was requested, in UTC.'),
  approvedAt: nullable(instant('When it got the required approvals, in UTC; null before.')),
  rejectedAt: nullable(instant('When it was rejected, in UTC; null otherwise.')),
  mergedAt: nullable(instant('When all its code reached the release branch, in UTC; null before.')),
  rejectionReason: nullable(text('Reason for the rejection; null if none.', 10_000)),
}

export const WebhookFixRequestEntity = entity(
  'WebhookFixRequestEntity',
  'A request for a late change to an open release.',
  {
    ...reportedMembers,
    workItem: nullable(
      described(
        'Work item of the fix; null until code or a ticket is named.',
        WebhookFixRequestWorkItemEntity
      )
    ),
  }
)
export type WebhookFixRequestEntity = Static<typeof WebhookFixRequestEntity>

export const FixRequestFormFieldValue = entity(
  'FixRequestFormFieldValue',
  'The value of a form field.',
  {
    fieldId: nonEmpty('Id of the field.', 64),
    label: nonEmpty('Label of the field when it was filled in.', 200),
    value: Type.Unsafe<string | boolean | string[]>({
      type: ['string', 'boolean', 'array'],
      items: nonEmpty('A selected option.', MAX_OPTION),
      description:
        'Text, an option or a URL; true or false for a checkbox; a list for several options; the e-mail address for a user.',
    }),
  }
)

export const FixRequestEntity = entity(
  'FixRequestEntity',
  'A request for a late change to an open release.',
  {
    ...reportedMembers,
    releaseId: nonEmpty('Id of the release, `<appId>:<version>`.', 240),
    workItem: nullable(
      described('Work item of the fix; null if neither code nor a ticket is named.', WorkItem)
    ),
    commits: list('The commits of the work item.', WorkItemCodeCommit, MAX_COMMITS),
    pullRequests: list(
      'The pull requests of the work item.',
      WorkItemCodePullRequest,
      MAX_PULL_REQUESTS
    ),
    fourEyes: flag('Whether the requester may not approve it, by the rules at that time.'),
    wayIn: enumOf(
      WAYS_IN,
      'How its code is added: commit by commit (default), or by merging the working branch.'
    ),
    mergesCommit: nullable(
      nonEmpty(
        'For a merge of the working branch: the last commit to merge, to which approvals apply; null until all the code is on that branch, and for cherry-picks.',
        64
      )
    ),
    waitsFor: list(
      'What it is still waiting for, tasks of people first; empty once merged or rejected.',
      object('A condition that is not met yet.', {
        code: enumOf(WAIT_CODES, 'Stable code of the condition.'),
        message: nonEmpty('Human-readable message.', 2000),
        pullRequestNumber: nullable(
          Type.Integer({ description: 'Number of the pull request concerned; null if none.' })
        ),
      }),
      MAX_PULL_REQUESTS + 10
    ),
    formFields: list(
      'Values of the form fields, in form order; empty fields are omitted.',
      FixRequestFormFieldValue,
      MAX_FORM_FIELDS
    ),
    stepRunId: nullable(id('Id of the step run it was created in; null if none.')),
    failure: nullable(
      object('What a person has to resolve while it is `failed`; null otherwise.', {
        commitHash: nonEmpty('Hash of the commit that could not be applied or was lost.', 64),
        reason: nonEmpty('Human-readable reason.', 1000),
        files: list('Conflicting files.', nonEmpty('Path of the file.', 4096), 1000),
      })
    ),
  }
)
export type FixRequestEntity = Static<typeof FixRequestEntity>

export const WebhookFixRequestReleaseEntity = entity(
  'WebhookFixRequestReleaseEntity',
  'Summary of the release of a fix request.',
  {
    id: nonEmpty('Id of the release, `<appId>:<version>`.', 240),
    version: nonEmpty('Version of the release.', 32),
    releaseName: nullable(nonEmpty('Name of the release; null if none.', 200)),
    status: described('Status of the release.', ReleaseStatusSchema),
  }
)

export const WebhookFixRequestStepRunEntity = entity(
  'WebhookFixRequestStepRunEntity',
  'The step run a fix request was created in.',
  {
    id: id('Id of the step run.'),
    stepId: id('Id of the step within the release.'),
    stepConfigId: id('Id of the step in the workflow of the app.'),
  }
)
