import {
  flag,
  instant,
  json,
  optional,
  table,
  text,
  integer,
} from '#foundation/core/database/table'
import type { Instant } from '#foundation/core/clock'
import type { AppSettings } from '#apps/settings'
import type { Actor } from '#foundation/core/principal'
import type { ReleaseStepType, ReleaseType } from '#workflow/vocabulary'
import type { StepPart } from './engine/facts.js'
import type { Hold } from './engine/held_by.js'
import type { CustomMetadataEntry } from './texts/custom_metadata.js'
import type { StepNotes } from './texts/step_notes.js'
import type {
  CreateEditReleaseType,
  ReleaseRegressionTestingStatus,
  ReleaseStatus,
  ReleaseStepStatus,
  ReleaseTimelinePhase,
} from './vocabulary.js'

/** The tag a hotfix starts from. */
interface BaseTag {
  name: string
  commitHash: string | null
}

/** The two versions of a rollback: the one whose build is used again, and the one rolled back. */
interface Rollback {
  sourceVersion: string
  targetVersion: string
}

/** The tag of a released version. */
interface ReleaseTag {
  name: string
  commitHash: string
  version: string | null
  createdAt: Instant
  url: string | null
}

/** The progress of a requested cherry-pick. */
export interface CherryPick {
  status: 'requested' | 'failed' | 'picked' | 'dismissed'
  /** Why it could not be picked. */
  failure: string | null
  /** The new commit on the branch; null until picked, or if the branch already had the change. */
  pickedAs: string | null
  dismissed: { by: Actor; reason: string; at: Instant } | null
}

/** The requests of a hotfix to version control, carried out at its kickoff. */
export interface HotfixOptions {
  createBranch: boolean
  bumpVersion: boolean
  cherryPickCommits: string[]
  /** Progress by the commit as it was named. A commit that was not tried yet is absent. */
  picks?: Record<string, CherryPick>
}

/** Releases: recorded facts, their place on the train, and the last evaluation of the facts. */
export const releases = table('releases', {
  id: text(),
  organizationId: text(),
  appId: text(),
  version: text(),
  versionMajor: integer(),
  versionMinor: integer(),
  versionPatch: integer(),
  createType: text<CreateEditReleaseType>(),
  releaseType: text<ReleaseType>(),
  releaseName: optional(text()),
  releaseDescription: optional(text()),
  status: text<ReleaseStatus>(),
  statusBeforeSkip: optional(text<ReleaseStatus>()),
  phase: text<ReleaseTimelinePhase>(),
  pilotId: optional(text()),
  targetKickoffAt: optional(instant()),
  targetSubmitAt: optional(instant()),
  targetReleaseAt: optional(instant()),
  inAppUpdatePriority: optional(integer()),
  kickedOffAt: optional(instant()),
  submittedAt: optional(instant()),
  approvedAt: optional(instant()),
  releasedAt: optional(instant()),
  /** The time since which stores serve the previous version again, after a full release. */
  haltedAt: optional(instant()),
  completedAt: optional(instant()),
  skippedAt: optional(instant()),
  releaseBranch: optional(text()),
  tag: optional(json<ReleaseTag>()),
  baseTag: optional(json<BaseTag>()),
  rollback: optional(json<Rollback>()),
  hotfixOptions: optional(json<HotfixOptions>()),
  regressionStatus: text<ReleaseRegressionTestingStatus>(),
  readyToSubmit: flag(),
  readyToRelease: flag(),
  automationsPaused: flag(),
  /** True for a past version from tags, a store or a table. It has no steps. */
  imported: flag(),
  settings: json<AppSettings>(),
  customMetadata: optional(json<CustomMetadataEntry[]>()),
  createdBy: json<Actor>(),
  nextEvaluationAt: optional(instant()),
  /** The thing it waits for between its kickoff and its completion; null before and after. */
  heldBy: optional(json<Hold>()),
  createdAt: instant(),
  updatedAt: instant(),
})

/** Former versions of releases. Requests with their ids are redirected with 308. */
export const releaseAliases = table('release_aliases', {
  organizationId: text(),
  appId: text(),
  releaseId: text(),
  versionMajor: integer(),
  versionMinor: integer(),
  versionPatch: integer(),
  createdAt: instant(),
})

/** Steps of releases: copies of the app's steps, with the status of the current run. */
export const releaseSteps = table('release_steps', {
  id: text(),
  organizationId: text(),
  releaseId: text(),
  stepConfigId: text(),
  name: text(),
  type: text<ReleaseStepType>(),
  groupIndex: integer(),
  position: integer(),
  required: flag(),
  destinationId: optional(text()),
  /**
   * The current or last name of the step in the workflow. `name` differs from it if the step was
   * renamed there after work on it had begun.
   */
  workflowName: text(),
  /** The current or last name of the step's destination in the workflow. */
  workflowDestination: optional(text()),
  /** False for a step that left the workflow and stays because people have worked on it. */
  inWorkflow: flag(),
  status: text<ReleaseStepStatus>(),
  statusChangedAt: optional(instant()),
  stepRunId: text(),
})

/** Attempts at steps, with the facts and notes of each. */
export const stepRuns = table('step_runs', {
  id: text(),
  organizationId: text(),
  releaseId: text(),
  stepId: text(),
  attempt: integer(),
  status: text<ReleaseStepStatus>(),
  startedAt: instant(),
  completedAt: optional(instant()),
  facts: json<StepPart['facts']>(),
  /** Input of people: comments, decisions and store texts. */
  notes: json<StepNotes>(),
})

/** The things that releases waited for, each from an instant until the next or the completion. */
export const releaseHolds = table('release_holds', {
  organizationId: text(),
  releaseId: text(),
  since: instant(),
  hold: json<Hold>(),
})

/** Addresses that show a release to people without an account. */
export const releaseLinks = table('release_links', {
  id: text(),
  organizationId: text(),
  releaseId: text(),
  createdBy: json<Actor>(),
  createdAt: instant(),
})

declare module '#foundation/core/database/table' {
  interface Tables {
    release_links: typeof releaseLinks
    releases: typeof releases
    release_aliases: typeof releaseAliases
    release_steps: typeof releaseSteps
    step_runs: typeof stepRuns
    release_holds: typeof releaseHolds
  }
}
