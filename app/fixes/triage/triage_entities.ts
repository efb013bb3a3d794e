import { Type, type Static } from '@sinclair/typebox'
import {
  count,
  entity,
  flag,
  id,
  instant,
  list,
  nonEmpty,
  nullable,
  object,
  text,
  url,
  words,
} from '#foundation/core/schemas'
import {
  FORM_FIELD_TYPES,
  MAX_AFFECTED_VERSIONS,
  MAX_FORM_FIELDS,
  MAX_OPTION,
  MAX_OPTIONS,
  MAX_REQUIRED_APPROVALS,
  SEVERITIES,
  TRIAGE_SOURCES,
  TRIAGE_STATUSES,
} from '../vocabulary.js'

const FixRequestFormFieldSettings = entity(
  'FixRequestFormFieldSettings',
  'A field of the form that whoever requests a fix fills in.',
  {
    id: nonEmpty('Id of the field, unique in the form; values name it.', 64),
    label: nonEmpty('What people are asked.', 200),
    type: words(
      FORM_FIELD_TYPES,
      'What it takes: text of one line or of several, one of its options or some of them, true or false, an http address, or a user of the organization.'
    ),
    required: flag('Whether a request has to fill it in; a checkbox that has to be ticked.'),
    options: nullable(
      list(
        'What can be chosen; null for types with nothing to choose from.',
        nonEmpty('An option.', MAX_OPTION),
        MAX_OPTIONS
      )
    ),
    helpText: nullable(nonEmpty('What helps to fill it in; null without.', 1000)),
  }
)

export const FixRequestFormFieldsSettingsEntity = entity(
  'FixRequestFormFieldsSettingsEntity',
  'How fixes of an app are requested and approved.',
  {
    requireFixApprovals: flag(
      'Whether requests wait for approvals; a setting of the app, which releases keep from their kickoff on.'
    ),
    requiredApprovals: Type.Integer({
      description: 'How many users have to approve a request, where requests wait for approvals.',
      minimum: 1,
      maximum: MAX_REQUIRED_APPROVALS,
    }),
    fourEyes: flag('Whether nobody approves what they request themselves.'),
    enableFixStatusChecks: flag(
      'Whether pull requests against the release branch carry a status that waits for the approval; a setting of the app.'
    ),
    fields: list('The form, in order.', FixRequestFormFieldSettings, MAX_FORM_FIELDS),
  }
)
export type FixRequestFormFieldsSettingsEntity = Static<typeof FixRequestFormFieldsSettingsEntity>

export const TriageIssueEntity = entity(
  'TriageIssueEntity',
  'Something that went wrong in an app, and that somebody has to look at.',
  {
    id: id('Id of the issue.'),
    appId: id('Id of the app.'),
    title: nonEmpty('What goes wrong.', 200),
    description: nullable(text('More of it; null without.', 10_000)),
    source: words(TRIAGE_SOURCES, 'Where it comes from.'),
    sourceUrl: nullable(url('Where more can be read of it; null without an address.')),
    severity: words(SEVERITIES, 'How bad it is.'),
    status: words(
      TRIAGE_STATUSES,
      'Whether nobody has decided on it, a fix is requested, its fix has shipped, or it is left be.'
    ),
    affectedVersions: list(
      'Versions it was seen in; empty if nobody said.',
      nonEmpty('A version, as its source writes it.', 100),
      MAX_AFFECTED_VERSIONS
    ),
    releaseId: nullable(nonEmpty('Id of the release it was seen in; null for none.', 240)),
    metrics: object('What was counted of it.', {
      eventCount: nullable(count('How often it happened; null if nobody counted.')),
      userCount: nullable(count('How many users it happened to; null if nobody counted.')),
      firstSeenAt: nullable(instant('When it was first seen, in UTC; null if not known.')),
      lastSeenAt: nullable(instant('When it was last seen, in UTC; null if not known.')),
    }),
    fixRequestId: nullable(
      id('Id of the fix request that answers it; null before one does, and after it was rejected.')
    ),
    createdAt: instant('When it was recorded, in UTC.'),
    updatedAt: instant('When it last changed, in UTC.'),
  }
)
export type TriageIssueEntity = Static<typeof TriageIssueEntity>
