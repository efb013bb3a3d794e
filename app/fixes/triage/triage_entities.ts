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
  enumOf,
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
  'A field of the form for fix requests.',
  {
    id: nonEmpty('Id of the field, unique in the form; values refer to it.', 64),
    label: nonEmpty('Label of the field.', 200),
    type: enumOf(
      FORM_FIELD_TYPES,
      'Type of its value: text of one or several lines, one or several options, true or false, an HTTP URL, or a user of the organization.'
    ),
    required: flag('Whether a value is required; a checkbox must then be ticked.'),
    options: nullable(
      list(
        'Options to choose from; null for types without options.',
        nonEmpty('An option.', MAX_OPTION),
        MAX_OPTIONS
      )
    ),
    helpText: nullable(nonEmpty('Help text; null if none.', 1000)),
  }
)

export const FixRequestFormFieldsSettingsEntity = entity(
  'FixRequestFormFieldsSettingsEntity',
  'How fixes of an app are requested and approved.',
  {
    requireFixApprovals: flag(
      'Whether requests need approval; an app setting that a release keeps from its kickoff on.'
    ),
    requiredApprovals: Type.Integer({
      description: 'Number of approvals a request needs, if approval is required.',
      minimum: 1,
      maximum: MAX_REQUIRED_APPROVALS,
    }),
    fourEyes: flag('Whether people may not approve their own requests.'),
    enableFixStatusChecks: flag(
      'Whether pull requests against the release branch get a status that waits for approval; an app setting.'
    ),
    fields: list('Fields of the form, in order.', FixRequestFormFieldSettings, MAX_FORM_FIELDS),
  }
)
export type FixRequestFormFieldsSettingsEntity = Static<typeof FixRequestFormFieldsSettingsEntity>

export const TriageIssueEntity = entity(
  'TriageIssueEntity',
  'A problem in an app that somebody has to look into.',
  {
    id: id('Id of the issue.'),
    appId: id('Id of the app.'),
    title: nonEmpty('Title of the issue.', 200),
    description: nullable(text('Details; null if none.', 10_000)),
    source: enumOf(TRIAGE_SOURCES, 'Source of the issue.'),
    sourceUrl: nullable(url('URL of further information; null if none.')),
    severity: enumOf(SEVERITIES, 'Severity of the issue.'),
    status: enumOf(
      TRIAGE_STATUSES,
      'Whether the issue is undecided, has a fix requested, is resolved, or is ignored.'
    ),
    affectedVersions: list(
      'Versions it was seen in; empty if unknown.',
      nonEmpty('A version, as its source writes it.', 100),
      MAX_AFFECTED_VERSIONS
    ),
    releaseId: nullable(nonEmpty('Id of the release it was seen in; null if none.', 240)),
    metrics: object('Figures about the issue.', {
      eventCount: nullable(count('Number of occurrences; null if unknown.')),
      userCount: nullable(count('Number of affected users; null if unknown.')),
      firstSeenAt: nullable(instant('When it was first seen, in UTC; null if unknown.')),
      lastSeenAt: nullable(instant('When it was last seen, in UTC; null if unknown.')),
    }),
    fixRequestId: nullable(
      id('Id of the fix request that addresses it; null before one exists and after its rejection.')
    ),
    createdAt: instant('When it was recorded, in UTC.'),
    updatedAt: instant('When it last changed, in UTC.'),
  }
)
export type TriageIssueEntity = Static<typeof TriageIssueEntity>
