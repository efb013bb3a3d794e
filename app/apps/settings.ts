import type { DefaultReleaseType, ReleaseStepType, WorkflowReleaseType } from '#workflow/vocabulary'
import type { AppPlatform } from './vocabulary.js'

/** `appSettings` in the specification. */
export interface AppSettings {
  defaultReleaseType: DefaultReleaseType
  assumeHotfixesArePointReleases: boolean
  /** Paths of files that hold the version. */
  versionFiles: string[]
  localizationDirectories: string[]
  requireFixApprovals: boolean
  /** True only when fix approvals are required. */
  enableFixStatusChecks: boolean
  hideNotRequiredReleaseStepsInTimeline: boolean
}

export const DEFAULT_APP_SETTINGS: AppSettings = {
  defaultReleaseType: 'standard',
  assumeHotfixesArePointReleases: false,
  versionFiles: [],
  localizationDirectories: [],
  requireFixApprovals: false,
  enableFixStatusChecks: false,
  hideNotRequiredReleaseStepsInTimeline: false,
}

/** Ways to release an approved version to users: by hand, automatically, or not before a time. */
export const RELEASE_METHODS = ['manual', 'automatic', 'scheduled'] as const
type ReleaseMethod = (typeof RELEASE_METHODS)[number]

/** `appStoreReleaseSettings`: the initial store settings of a new release. */
export interface AppStoreReleaseSettings {
  releaseMethod: ReleaseMethod
  phasedReleaseEnabled: boolean
  /**
   * The urgency of an update in the app, 0 to 5, unless the release sets its own; null for the
   * store's default.
   */
  inAppUpdatePriority: number | null
}

export const DEFAULT_APP_STORE_RELEASE_SETTINGS: AppStoreReleaseSettings = {
  releaseMethod: 'manual',
  phasedReleaseEnabled: false,
  inAppUpdatePriority: null,
}

/** One entry of `branchSettings`: the branches of one version-control integration. */
export interface BranchSettings {
  /** Key of the integration in the app's configuration. */
  integration: string
  /** Pattern of the release branch. Static, or with a token. */
  allPattern: string | null
  hotfixPattern: string | null
  workingBranch: string | null
}

/** One entry of `tagSettings`. */
export interface TagSettings {
  name: string
  pattern: string
}

export const AFFILIATION_TYPES = ['fixVersion', 'label'] as const
type AffiliationType = (typeof AFFILIATION_TYPES)[number]

/** One entry of `featureAffiliations`: how tickets say which release they belong to. */
export interface FeatureAffiliation {
  name: string
  /** Key of the issue-tracking integration in the app's configuration. */
  integration: string
  type: AffiliationType
  pattern: string
}

/** The full definition of an app, from any source. */
export interface AppDefinition {
  name: string
  platform: AppPlatform
  appGroup: string | null
  /** Address of the icon. */
  icon: string | null
  appSettings: AppSettings
  /** E-mail addresses in lower case. */
  appUsers: string[]
  branchSettings: BranchSettings[]
  tagSettings: TagSettings[]
  featureAffiliations: FeatureAffiliation[]
  appStoreReleaseSettings: AppStoreReleaseSettings
  stepGroups: WorkflowStepGroup[]
  /** The destinations after the first, in order. Steps refer to them by name. */
  destinations: AdditionalDestination[]
}

/** A destination in addition to the first, which every app has. */
export interface AdditionalDestination {
  name: string
  appStoreReleaseSettings: AppStoreReleaseSettings
}

/** The kinds of release a step appears in, and whether it is required there. */
export type StepReleaseTypes = Partial<Record<WorkflowReleaseType, { required: boolean }>>

/** One step of an app's workflow. */
export interface WorkflowStep {
  name: string
  archetype: ReleaseStepType
  releaseTypes: StepReleaseTypes
  /** Name of the further destination the step belongs to. Absent for the first, or all of them. */
  destination?: string
}

export interface WorkflowStepGroup {
  steps: WorkflowStep[]
}
