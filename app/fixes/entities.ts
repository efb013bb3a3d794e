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
  words,
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
  'Who has to do with a fix request: a user, or an API key that spoke for itself.',
  {
    id: id('Id of the user or API key.'),
    email: nullable(email('E-mail address of the user; null for an API key.')),
    name: nullable(text('Name of the user or the key; null while the user has none.', 320)),
  }
)

const WebhookFixRequestWorkItemEntity = entity(
  'WebhookFixRequestWorkItemEntity',
  'The ticket and code that a fix request brings in.',
  workItemMembers
)

const verdicts = (description: string) =>
  list(
    description,
    object('The word of one user.', {
      user: described('Who said it.', FixRequestUser),
      at: instant('When, in UTC.'),
    }),
    100
  )

/** Members of a request in every representation. */
const reportedMembers = {
  id: id('Id of the fix request.'),
  status: words(
    FIX_STATUSES,
    'How far it is; `failed` when its cherry-pick conflicts, or the release has its code no more.'
  ),
  title: nonEmpty('What is to be fixed.', 200),
  description: nullable(text('Why it cannot wait; null without words.', 10_000)),
  requester: described('Who asks for it.', FixRequestUser),
  approvals: verdicts('Who approved it, in order.'),
  rejections: verdicts('Who rejected it, in order.'),
  requiredApprovals: count('How many users have to approve it; 0 where none has to.'),
  triageIssueId: nullable(id('Id of the triage issue it answers; null for none.')),
  createdAt: instant('When it was asked for, in UTC.'),
  approvedAt: nullable(instant('When it had the approvals it needs, in UTC; null before.')),
  rejectedAt: nullable(instant('When it was rejected, in UTC; null unless it was.')),
  mergedAt: nullable(instant('When all its code was in the release branch, in UTC; null before.')),
  rejectionReason: nullable(text('Why it was rejected; null unless it was.', 10_000)),
}

export const WebhookFixRequestEntity = entity(
  'WebhookFixRequestEntity',
  'A change that should still go into a running release.',
  {
    ...reportedMembers,
    workItem: nullable(
      described(
        'What it brings in; null until code or a ticket is named.',
        WebhookFixRequestWorkItemEntity
      )
    ),
  }
)
export type WebhookFixRequestEntity = Static<typeof WebhookFixRequestEntity>

export const FixRequestFormFieldValue = entity(
  'FixRequestFormFieldValue',
  'What a field of the form was filled in with.',
  {
    fieldId: nonEmpty('Id of the field.', 64),
    label: nonEmpty('What people were asked, as the form had it then.', 200),
    value: Type.Unsafe<string | boolean | string[]>({
      type: ['string', 'boolean', 'array'],
      items: nonEmpty('An option that was chosen.', MAX_OPTION),
      description:
        'Text, an option or an address; for a checkbox true or false; for several options a list; for a user the e-mail address.',
    }),
  }
)

export const FixRequestEntity = entity(
  'FixRequestEntity',
  'A change that should still go into a running release.',
  {
    ...reportedMembers,
    releaseId: nonEmpty('Id of the release, `<appId>:<version>`.', 240),
    workItem: nullable(
      described('What it brings in; null if neither code nor a ticket is named.', WorkItem)
    ),
    commits: list('The commits of the work item.', WorkItemCodeCommit, MAX_COMMITS),
    pullRequests: list(
      'The pull requests of the work item.',
      WorkItemCodePullRequest,
      MAX_PULL_REQUESTS
    ),
    fourEyes: flag('Whether its requester may not approve it; a rule of the form at that time.'),
    wayIn: words(
      WAYS_IN,
      'How its code comes in: commit by commit (default), or all of the working branch is merged.'
    ),
    mergesCommit: nullable(
      nonEmpty(
        'Of a merge of the working branch: the commit up to which it is merged, for which approvals are given; null until its code is all there, and code by code.',
        64
      )
    ),
    waitsFor: list(
      'What it still waits for, what people have to do first; empty once it is merged or rejected.',
      object('Something that it waits for.', {
        code: words(WAIT_CODES, 'What it is; stable.'),
        message: nonEmpty('What it is, for people.', 2000),
        pullRequestNumber: nullable(
          Type.Integer({ description: 'The pull request that it is about; null for none.' })
        ),
      }),
      MAX_PULL_REQUESTS + 10
    ),
    formFields: list(
      'What the form was filled in with, in its order; fields left empty are absent.',
      FixRequestFormFieldValue,
      MAX_FORM_FIELDS
    ),
    stepRunId: nullable(id('Id of the step run it was made at; null for none.')),
    failure: nullable(
      object('What is left for a person while it is `failed`; null otherwise.', {
        commitHash: nonEmpty('The commit that could not be brought in, or is gone.', 64),
        reason: nonEmpty('Why, for people.', 1000),
        files: list('Files in conflict.', nonEmpty('Path of the file.', 4096), 1000),
      })
    ),
  }
)
export type FixRequestEntity = Static<typeof FixRequestEntity>

export const WebhookFixRequestReleaseEntity = entity(
  'WebhookFixRequestReleaseEntity',
  'The release of a fix request, in short.',
  {
    id: nonEmpty('Id of the release, `<appId>:<version>`.', 240),
    version: nonEmpty('Version of the release.', 32),
    releaseName: nullable(nonEmpty('Name of the release; null without one.', 200)),
    status: described('Status of the release.', ReleaseStatusSchema),
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
