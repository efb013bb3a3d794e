import { enumeration } from '#foundation/core/enumerations'

/** `TriageIssueSource`. */
export const TRIAGE_SOURCES = enumeration(
  'TriageIssueSource',
  ['stabilityMonitoring', 'observability', 'appReviews', 'buildFeedback', 'manual', 'api'],
  'Source of a triage issue.'
)
export type TriageIssueSource = (typeof TRIAGE_SOURCES)[number]

export const TRIAGE_STATUSES = ['open', 'fixRequested', 'resolved', 'ignored'] as const
export type TriageStatus = (typeof TRIAGE_STATUSES)[number]

export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const
export type Severity = (typeof SEVERITIES)[number]

/** The types of fields of the request form. */
export const FORM_FIELD_TYPES = [
  'text',
  'textarea',
  'select',
  'multiselect',
  'checkbox',
  'url',
  'user',
] as const
export type FormFieldType = (typeof FORM_FIELD_TYPES)[number]

/** Returns whether a field type has options. */
export const hasOptions = (type: FormFieldType): boolean =>
  type === 'select' || type === 'multiselect'

export const MAX_FORM_FIELDS = 50
export const MAX_OPTIONS = 100
export const MAX_OPTION = 200
export const MAX_AFFECTED_VERSIONS = 100
/** Most people a fix request may be set to wait for. */
export const MAX_REQUIRED_APPROVALS = 20

/** Status of a fix request; `failed` when its cherry-pick conflicts. */
export const FIX_STATUSES = ['pending', 'approved', 'rejected', 'merged', 'failed'] as const
export type FixStatus = (typeof FIX_STATUSES)[number]

/** The ways of code into the release branch. */
export const WAYS_IN = ['cherryPick', 'backMerge'] as const
export type WayIn = (typeof WAYS_IN)[number]

/** The conditions that an open request may wait for. */
export const WAIT_CODES = [
  'pull_request_elsewhere',
  'pull_request_closed',
  'pull_request_unknown',
  'pull_request_open',
  'left_to_person',
  'approvals_missing',
  'nothing_named',
  'under_way',
  'code_not_seen',
] as const
export type WaitCode = (typeof WAIT_CODES)[number]

export const MAX_COMMITS = 100
export const MAX_PULL_REQUESTS = 100
/** Most fix requests of one release. */
export const MAX_FIX_REQUESTS = 1000
export const MAX_LINE = 1000
export const MAX_TEXT = 10_000
