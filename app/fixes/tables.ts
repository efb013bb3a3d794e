import type { Instant } from '#foundation/core/clock'
import {
  flag,
  instant,
  integer,
  json,
  optional,
  table,
  text,
} from '#foundation/core/database/table'
import type { Actor } from '#foundation/core/principal'
import type { FormFieldType, Severity, TriageIssueSource, TriageStatus } from './vocabulary.js'

/** A field of the form that whoever requests a fix fills in. */
export interface FormField {
  id: string
  label: string
  type: FormFieldType
  required: boolean
  /** What can be chosen; null where the type has nothing to choose from. */
  options: string[] | null
  helpText: string | null
}

/** How an app asks for fixes; there is a row once something was set. */
export const fixSettings = table('fix_settings', {
  appId: text(),
  organizationId: text(),
  requiredApprovals: integer(),
  /** Whether nobody approves what they request themselves. */
  fourEyes: flag(),
  fields: json<FormField[]>(),
  updatedAt: instant(),
})

/** How often something happened, to how many, and when; what is not known is null. */
export interface IssueMetrics {
  eventCount: number | null
  userCount: number | null
  firstSeenAt: Instant | null
  lastSeenAt: Instant | null
}

/** What went wrong in an app and somebody has to look at. */
export const triageIssues = table('triage_issues', {
  id: text(),
  organizationId: text(),
  appId: text(),
  title: text(),
  description: optional(text()),
  source: text<TriageIssueSource>(),
  sourceUrl: optional(text()),
  severity: text<Severity>(),
  status: text<TriageStatus>(),
  affectedVersions: json<string[]>(),
  /** Internal id. */
  releaseId: optional(text()),
  metrics: json<IssueMetrics>(),
  fixRequestId: optional(text()),
  createdBy: json<Actor>(),
  createdAt: instant(),
  updatedAt: instant(),
})

declare module '#foundation/core/database/table' {
  interface Tables {
    fix_settings: typeof fixSettings
    triage_issues: typeof triageIssues
  }
}
