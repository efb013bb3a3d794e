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
import type {
  FixStatus,
  FormFieldType,
  Severity,
  TriageIssueSource,
  TriageStatus,
  WayIn,
} from './vocabulary.js'

/** A field of the form that whoever requests a fix fills in. */
export interface FormField {
  id: string
  label: string
  type: FormFieldType
  required: boolean
  /** The options; null for a type without options. */
  options: string[] | null
  helpText: string | null
}

/** Request forms of apps; a row exists once something was set. */
export const fixSettings = table('fix_settings', {
  appId: text(),
  organizationId: text(),
  requiredApprovals: integer(),
  /** True if requesters may not approve their own requests. */
  fourEyes: flag(),
  fields: json<FormField[]>(),
  updatedAt: instant(),
})

/** The number of occurrences and affected users, and the times; unknown values are null. */
export interface IssueMetrics {
  eventCount: number | null
  userCount: number | null
  firstSeenAt: Instant | null
  lastSeenAt: Instant | null
}

/** Problems of apps that somebody has to look at. */
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
  /** Its identity elsewhere; null for issues that people reported. */
  origin: optional(text()),
  createdBy: json<Actor>(),
  createdAt: instant(),
  updatedAt: instant(),
})

/** A commit that a request brings in, and what was known of it when it was named. */
export interface NamedCommit {
  hash: string
  message: string | null
  author: string | null
  url: string | null
}

/** One person's verdict on a request. */
export interface Verdict {
  actor: Actor
  /** The key that decided on behalf of the actor; absent if none did. */
  askedBy?: Actor
  at: Instant
  comment: string | null
  /** Hash of what the request brings in (`contentHash`). */
  hash: string
}

/** The value of a field of the form. */
export interface FilledField {
  fieldId: string
  /** As the form had it when the request was made. */
  label: string
  value: string | boolean | string[]
}

/** The state of a commit's pick onto the branch of the release. */
export interface Pick {
  /**
   * `there`: the branch already had the change; `unasked`: it was dropped before the host was
   * asked; `lost`: the branch had it, and no longer has it.
   */
  state: 'asked' | 'unasked' | 'picked' | 'there' | 'conflict' | 'failed' | 'lost'
  /** Number of times it was dropped. */
  unasked?: number
  /**
   * True if the host lacked the branch; it is requested again after the next poll of the branch.
   */
  isAway?: boolean
  /** Hash on the branch. */
  pickedAs?: string
  /** Files in conflict. */
  files?: string[]
  reason?: string
}

/**
 * The commits of a request that were seen in the release, and the base of the release at that time.
 */
export interface IncludedCode {
  base: string | null
  /** Commits of the release, with what identifies each under another hash. */
  commits: {
    hash: string
    /** Author and message (`textKeyOf`). */
    text: string
    pickedFrom?: string[]
    patchId?: string | null
    /** Index of the named part in the request; absent if not recorded. */
    of?: number
  }[]
}

/** Requests to bring a late change into a running release, with the rules they were made under. */
export const fixRequests = table('fix_requests', {
  id: text(),
  organizationId: text(),
  appId: text(),
  /** Internal id. */
  releaseId: text(),
  status: text<FixStatus>(),
  title: text(),
  description: optional(text()),
  requester: json<Actor>(),
  /** The key that made it on behalf of the requester; null if the requester made it. */
  askedBy: optional(json<Actor>()),
  approvals: json<Verdict[]>(),
  rejections: json<Verdict[]>(),
  /** 0 if the release requires none. */
  requiredApprovals: integer(),
  fourEyes: flag(),
  /** Null if neither code nor a ticket is named. */
  workItemId: optional(text()),
  ticketId: optional(text()),
  commits: json<NamedCommit[]>(),
  /** Their numbers. */
  pullRequests: json<number[]>(),
  /** Identity of the repository that has them; null without them, or if unknown. */
  repository: optional(text()),
  wayIn: text<WayIn>(),
  /** The commit of the working branch that is merged, with all before it; null until it is known. */
  mergeHead: optional(text()),
  formFields: json<FilledField[]>(),
  triageIssueId: optional(text()),
  stepRunId: optional(text()),
  rejectionReason: optional(text()),
  createdAt: instant(),
  approvedAt: optional(instant()),
  rejectedAt: optional(instant()),
  mergedAt: optional(instant()),
  /** The state of its picks, by commit hash. */
  picks: json<Record<string, Pick>>(),
  /** Numbers of its pull requests whose closing is in the timeline. */
  reportedClosed: json<number[]>(),
  /** Set once its merged code was seen. */
  includedCode: optional(json<IncludedCode>()),
})

declare module '#foundation/core/database/table' {
  interface Tables {
    fix_settings: typeof fixSettings
    triage_issues: typeof triageIssues
    fix_requests: typeof fixRequests
  }
}
