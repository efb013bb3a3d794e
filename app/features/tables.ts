import type { Instant } from '#foundation/core/clock'
import type { Actor } from '#foundation/core/principal'
import {
  flag,
  instant,
  integer,
  json,
  optional,
  table,
  text,
} from '#foundation/core/database/table'
import type {
  CodeStatus,
  CodeType,
  CommitSide,
  FlagChangeKind,
  PullRequestStatus,
  ReadinessReason,
} from './vocabulary.js'

/** The commits that are reachable from `head` and not from `base`, and the names of these two. */
export interface CommitRange {
  integrationId: string
  /** Null for all commits of the head. */
  base: string | null
  head: string
  /** Names that people know: a tag, a branch. */
  baseName: string | null
  headName: string
}

/** A commit outside of a range that the range builds on. */
export interface EdgeCommit {
  hash: string
  /** The place at which it came into the line of the branch; null if that is not known. */
  at: number | null
}

/** Counts of work items, each item in exactly one of them; `missing` ones have no code at all. */
export interface FeatureCounts {
  ready: number
  notReady: number
  ignored: number
  missing: number
}

/** A pull request that waits to be merged. */
export interface OpenPull {
  number: number
  title: string
  head: string
  base: string
  /** Its newest commit. */
  sha: string
  status: 'draft' | 'open'
  url: string | null
  /** Possible ticket keys in its title and branch name. */
  keys: string[]
}

/** The polled state of releases. */
export const releaseFeatures = table('release_features', {
  releaseId: text(),
  organizationId: text(),
  appId: text(),
  watchesCode: flag(),
  watchesTickets: flag(),
  /** From the last release to this one. */
  releaseRange: optional(json<CommitRange>()),
  /** From the branch of the release to the working branch; null before kickoff. */
  workingRange: optional(json<CommitRange>()),
  /** Possible ticket keys in commit messages. */
  mentioned: json<string[]>(),
  openPulls: json<OpenPull[]>(),
  counts: optional(json<FeatureCounts>()),
  /** The commits outside that the range builds on; null if they are not known. */
  releaseEdge: optional(json<(EdgeCommit | string)[]>()),
  /** The same for the working range. */
  workingEdge: optional(json<EdgeCommit[]>()),
  /** True if patch ids of some commits are still to be read. */
  patchesOwed: flag(),
  /** Identity of the repository in which its code was read; null before. */
  repository: optional(text()),
  /** The branch of the release, while its host has none of that name. */
  missingBranch: optional(text()),
  codeSeenAt: optional(instant()),
  ticketsSeenAt: optional(instant()),
})

/** The commits of the ranges of releases. */
export const releaseCommits = table('release_commits', {
  organizationId: text(),
  appId: text(),
  releaseId: text(),
  side: text<CommitSide>(),
  hash: text(),
  /** The higher the newer, within a release and side. */
  place: integer(),
  message: text(),
  author: text(),
  committedAt: instant(),
  url: optional(text()),
  parents: json<string[]>(),
  /** Possible ticket keys. */
  tickets: json<string[]>(),
  /** Hashes of the commits that it says it was picked from. */
  pickedFrom: json<string[]>(),
  /** The first of them, for look-ups. */
  origin: optional(text()),
  /** All of them if there are several; else null. */
  moreOrigins: optional(json<string[]>()),
  /** Hashes of the commits that it says it reverts. */
  reverts: json<string[]>(),
  pullRequest: optional(integer()),
  /** The place at which it came into the line of the branch; null if that is not known. */
  entered: optional(integer()),
  /** Key of author and message: equal for a pick, whatever its hash. */
  textKey: optional(text()),
  /** Patch id, if read: equal for a pick, whatever its message. */
  patchId: optional(text()),
})

/** Pull requests as their host last reported them; null for what it does not report. */
export const codePulls = table('code_pulls', {
  organizationId: text(),
  appId: text(),
  /** Identity of the repository whose pull request it is. */
  repository: text(),
  number: text(),
  title: optional(text()),
  /** Null also if the host knows no pull request of this number. */
  status: optional(text<PullRequestStatus>()),
  url: optional(text()),
  author: optional(text()),
  base: optional(text()),
  mergedAt: optional(instant()),
  seenAt: instant(),
})

/** Tickets of issue trackers as they were last seen. */
export const trackerTickets = table('tracker_tickets', {
  organizationId: text(),
  appId: text(),
  integrationId: text(),
  /**
   * In upper case, as people write it either way. For a moved ticket it may be the former key that
   * code uses.
   */
  key: text(),
  /** The present key in the tracker's spelling, which requests to it use. */
  spelledKey: text(),
  /** False for a text that looked like a key and is none. */
  isKnown: flag(),
  ticketId: text(),
  title: text(),
  status: text(),
  /** By the tracker, or by the app's `additionalDoneStatuses`. */
  done: flag(),
  url: optional(text()),
  assignee: optional(text()),
  fixVersions: json<string[]>(),
  seenAt: instant(),
  /** Time of the last change of what is shown. */
  changedAt: instant(),
})

/** Tickets that their tracker says belong to a release. */
export const releaseTickets = table('release_tickets', {
  organizationId: text(),
  appId: text(),
  releaseId: text(),
  integrationId: text(),
  key: text(),
})

/** A ticket as a work item shows it. */
export interface ShownTicket {
  id: string
  key: string
  title: string | null
  status: string | null
  done: boolean
  url: string | null
  assignee: string | null
  fixVersions: string[]
}

/** A commit as a work item shows it. */
export interface ShownCommit {
  type: 'commit'
  hash: string
  message: string | null
  author: string | null
  url: string | null
  committedAt: string | null
  inRelease: boolean
}

/** A pull request as a work item shows it. */
export interface ShownPull {
  type: 'pullRequest'
  number: number
  title: string | null
  status: PullRequestStatus | null
  url: string | null
  author: string | null
  baseBranch: string | null
  mergedAt: string | null
}

/** The work items of releases: derived from commits and tickets, except for who ignored them. */
export const featureItems = table('feature_items', {
  id: text(),
  organizationId: text(),
  appId: text(),
  /** Internal id. */
  releaseId: text(),
  /** Names its ticket, pull request or commit; the same for the same work item. */
  itemKey: text(),
  ticket: optional(json<ShownTicket>()),
  code: json<(ShownCommit | ShownPull)[]>(),
  codeStatus: text<CodeStatus>(),
  codeType: optional(text<CodeType>()),
  reason: text<ReadinessReason>(),
  /** Digest of everything derived. */
  digest: text(),
  /** Texts that searches look in, in lower case. */
  searchText: text(),
  /** Authors of its code in lower case, each between line feeds. */
  authors: text(),
  /** It is no longer a work item, and kept only because somebody ignored it. */
  isGone: flag(),
  /** Its ticket is in none of the app's projects any more. */
  isMovedOut: flag(),
  ignored: flag(),
  ignoredBy: optional(json<Actor>()),
  ignoredAt: optional(instant()),
  createdAt: instant(),
})

/** Tickets that the service marked with their release; each is marked once. */
export const ticketMarks = table('ticket_marks', {
  organizationId: text(),
  appId: text(),
  releaseId: text(),
  integrationId: text(),
  /** In upper case. */
  key: text(),
  markedAt: instant(),
})

/** A flag of the experimentation service as it was last seen. */
export interface SeenFlag {
  name: string
  enabled: boolean
  /** Digest of its variations and rules. */
  digest: string
}

/** The place of flags: equal keys of another place are other flags. */
export interface SeenAt {
  integrationId: string
  connectionId: string
  environmentId: string
  projectId: string | null
  /** The attribute by which flags are listed for a version. */
  versionAttributeName: string | null
}

/** A change of a flag during the rollout of a release. */
export interface FlagChange {
  key: string
  name: string
  what: FlagChangeKind
  /** Time at which it was switched here, or seen as different at its provider. */
  at: Instant
  /** The person who switched it here; null for a change at its provider. */
  by: Actor | null
}

/** Changes of flags during the rollout of releases. */
export const flagWatches = table('flag_watches', {
  releaseId: text(),
  organizationId: text(),
  appId: text(),
  isOn: flag(),
  /** By key; null before the first look. */
  seen: optional(json<Record<string, SeenFlag>>()),
  /** The place they were read from; null if not recorded. */
  source: optional(json<SeenAt>()),
  /** Oldest first. */
  changes: json<FlagChange[]>(),
})

declare module '#foundation/core/database/table' {
  interface Tables {
    release_features: typeof releaseFeatures
    release_commits: typeof releaseCommits
    code_pulls: typeof codePulls
    tracker_tickets: typeof trackerTickets
    release_tickets: typeof releaseTickets
    feature_items: typeof featureItems
    ticket_marks: typeof ticketMarks
    flag_watches: typeof flagWatches
  }
}
