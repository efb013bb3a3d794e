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
  /** What it was seen as elsewhere; null for what somebody told of. */
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

/** What one person said of a request. */
export interface Verdict {
  actor: Actor
  /** The key that spoke for the actor, where it did. */
  askedBy?: Actor
  at: Instant
  comment: string | null
  /** Of what the request brought in (`contentHash`). */
  hash: string
}

/** What a field of the form was filled in with. */
export interface FilledField {
  fieldId: string
  /** As the form had it when the request was made. */
  label: string
  value: string | boolean | string[]
}

/** What became of a commit that was to be picked onto the branch of the release. */
export interface Pick {
  /**
   * `there`: the branch had what it brings; `unasked`: it was let be before anybody was asked;
   * `lost`: the branch had it, and has it no more.
   */
  state: 'asked' | 'unasked' | 'picked' | 'there' | 'conflict' | 'failed' | 'lost'
  /** How often it was let be. */
  unasked?: number
  /** Whether that was as its host has no such branch: it is asked for again once that was looked for. */
  isAway?: boolean
  /** Hash on the branch. */
  pickedAs?: string
  /** Files in conflict. */
  files?: string[]
  reason?: string
}

/** What of a request was seen in the release, as it came after a commit. */
export interface BroughtIn {
  base: string | null
  /** Commits of the release, and what is the same of each under another hash. */
  commits: {
    hash: string
    /** Author and message (`textKeyOf`). */
    text: string
    pickedFrom?: string[]
    patchId?: string | null
    /** Which of what the request names, from 0; absent where that was not kept. */
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
  /** The key that asked for it in the name of the requester; null where that was itself. */
  askedBy: optional(json<Actor>()),
  approvals: json<Verdict[]>(),
  rejections: json<Verdict[]>(),
  /** 0 where the release asked for none. */
  requiredApprovals: integer(),
  fourEyes: flag(),
  /** Null where neither code nor a ticket is named. */
  workItemId: optional(text()),
  ticketId: optional(text()),
  commits: json<NamedCommit[]>(),
  /** Their numbers. */
  pullRequests: json<number[]>(),
  /** What tells the repository that has them from others; null without them, or where not known. */
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
  /** What became of its commits that were to be picked, by hash. */
  picks: json<Record<string, Pick>>(),
  /** Numbers of its pull requests that the timeline has told were closed. */
  toldClosed: json<number[]>(),
  /** Once it was merged; null while that was not seen. */
  broughtIn: optional(json<BroughtIn>()),
})

declare module '#foundation/core/database/table' {
  interface Tables {
    fix_settings: typeof fixSettings
    triage_issues: typeof triageIssues
    fix_requests: typeof fixRequests
  }
}
