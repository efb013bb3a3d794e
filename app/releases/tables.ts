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

/** A rollback's two versions: whose build is used again, and what is rolled back. */
interface Rollback {
  sourceVersion: string
  targetVersion: string
}

/** The tag of what was released. */
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
  /** The commit that it is on the branch; null also where the branch had what it brings. */
  pickedAs: string | null
  dismissed: { by: Actor; reason: string; at: Instant } | null
}

/** The requests of a hotfix to version control, carried out at its kickoff. */
export interface HotfixOptions {
  createBranch: boolean
  bumpVersion: boolean
  cherryPickCommits: string[]
  /** By the commit as it was named; absent of one that nobody has tried. */
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
  /** Since when a store serves the version before it, although all users were offered this one. */
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
  /** From tags, a store or a table, as it was released before; it has no steps. */
  imported: flag(),
  settings: json<AppSettings>(),
  customMetadata: optional(json<CustomMetadataEntry[]>()),
  createdBy: json<Actor>(),
  nextLookAt: optional(instant()),
  /** The thing it waits for, from its kickoff to its completion; null before and after. */
  heldBy: optional(json<Hold>()),
  createdAt: instant(),
  updatedAt: instant(),
})

/** Versions a release had before: their ids answer 308. */
export const releaseAliases = table('release_aliases', {
  organizationId: text(),
  appId: text(),
  releaseId: text(),
  versionMajor: integer(),
  versionMinor: integer(),
  versionPatch: integer(),
  createdAt: instant(),
})

/** Steps within a release: copies of the app's, with the status of the current run. */
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
   * The step's name in the workflow, or its last name there; a step that was worked on keeps its
   * own name.
   */
  workflowName: text(),
  /** Name of the destination that the workflow gives it, or last gave it. */
  workflowDestination: optional(text()),
  /** False for a step that left the workflow and stays because people have worked on it. */
  inWorkflow: flag(),
  status: text<ReleaseStepStatus>(),
  statusChangedAt: optional(instant()),
  stepRunId: text(),
})

/** Attempts at a step, with what was recorded about each. */
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
  /** Notes of people at the run: comments, deciders, store texts. */
  notes: json<StepNotes>(),
})

/** Things that releases waited for since an instant, until the next one or their completion. */
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
