import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import {
  anyText,
  boolean,
  dateTime,
  integer,
  oneOf,
  describedAs,
  text,
  trimmedText,
  webUrl,
} from '#foundation/api/operation/input'
import { pageInput } from '#foundation/api/pages'
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

const times = () => integer(0, Number.MAX_SAFE_INTEGER).nullable().optional()

/** `CreateTriageIssueRequestBody` */
export const createTriageIssueValidator = vine.create({
  title: trimmedText(200),
  description: anyText(10_000).nullable().optional(),
  source: oneOf(TRIAGE_SOURCES)
    .use(describedAs('Source of the issue; `api` by default.'))
    .optional(),
  sourceUrl: webUrl(2048).nullable().optional(),
  severity: oneOf(SEVERITIES).use(describedAs('Severity; `medium` by default.')).optional(),
  affectedVersions: vine.array(text(100)).maxLength(MAX_AFFECTED_VERSIONS).distinct().optional(),
  releaseId: text(240)
    .use(describedAs('Id of the release it was seen in; null or absent for none.'))
    .nullable()
    .optional(),
  metrics: vine
    .object({
      eventCount: times(),
      userCount: times(),
      firstSeenAt: dateTime().nullable().optional(),
      lastSeenAt: dateTime().nullable().optional(),
    })
    .optional(),
})
export type CreateTriageIssueInput = Infer<typeof createTriageIssueValidator>

/** Decisions about an issue by hand. */
const DECISIONS = ['open', 'resolved', 'ignored'] as const

/** `UpdateTriageIssueRequestBody` */
export const updateTriageIssueValidator = vine.create({
  title: trimmedText(200).optional(),
  description: anyText(10_000).nullable().optional(),
  severity: oneOf(SEVERITIES).optional(),
  status: oneOf(DECISIONS)
    .use(describedAs('`resolved`, `ignored`, or `open` to reopen it.'))
    .optional(),
})
export type UpdateTriageIssueInput = Infer<typeof updateTriageIssueValidator>

export const listTriageIssuesValidator = vine.create({
  ...pageInput,
  source: oneOf(TRIAGE_SOURCES).use(describedAs('Only issues from this source.')).optional(),
  status: oneOf(TRIAGE_STATUSES).use(describedAs('Only issues with this status.')).optional(),
  releaseId: text(240).use(describedAs('Only issues seen in this release.')).optional(),
})
export type ListTriageIssuesQuery = Infer<typeof listTriageIssuesValidator>

const field = vine.object({
  id: text(64),
  label: trimmedText(200),
  type: oneOf(FORM_FIELD_TYPES),
  required: boolean().use(describedAs('Whether a value is required; false by default.')).optional(),
  options: vine
    .array(text(MAX_OPTION))
    .maxLength(MAX_OPTIONS)
    .use(describedAs('Distinct options, for `select` and `multiselect` only; null for none.'))
    .nullable()
    .optional(),
  helpText: trimmedText(1000).nullable().optional(),
})

/** `UpdateFixRequestFormFieldsSettingsRequestBody` */
export const updateFormValidator = vine.create({
  requiredApprovals: integer(1, MAX_REQUIRED_APPROVALS).optional(),
  fourEyes: boolean().optional(),
  fields: vine.array(field).maxLength(MAX_FORM_FIELDS).optional(),
})
export type UpdateFormInput = Infer<typeof updateFormValidator>
