import type { Kind } from '../kinds.js'
import { ProviderError } from '../provider_error.js'
import type { CrashMonitoring, Experimentation, OnCall, ProductAnalytics } from './monitoring.js'
import type { ContinuousIntegration, VersionControl } from './source.js'
import type { AppStore, BetaTesting, Localization } from './stores.js'
import type { Chat, IssueTracking, TestManagement } from './work.js'

/** The capability of each kind. */
export interface CapabilityMap {
  versionControl: VersionControl
  ci: ContinuousIntegration
  appStore: AppStore
  betaTesting: BetaTesting
  testManagement: TestManagement
  issueTracking: IssueTracking
  chat: Chat
  crashMonitoring: CrashMonitoring
  productAnalytics: ProductAnalytics
  experimentation: Experimentation
  onCall: OnCall
  localization: Localization
}

type OptionalMethod<Capability> = {
  [Name in keyof Capability]-?: undefined extends Capability[Name] ? Name : never
}[keyof Capability]

type RequiredMethods = {
  [Each in Kind]: Readonly<
    Record<Exclude<keyof CapabilityMap[Each], OptionalMethod<CapabilityMap[Each]>>, true>
  >
}

type OptionalMethods = {
  [Each in Kind]: Readonly<Record<OptionalMethod<CapabilityMap[Each]>, true>>
}

/** Methods that a plugin may leave out. Its manifest lists those it has as `features`. */
export const OPTIONAL_METHODS: OptionalMethods = {
  versionControl: {
    createRelease: true,
    mergeBranch: true,
    openPullRequest: true,
    listOpenPullRequests: true,
    setStatus: true,
    patchIds: true,
    getPullRequest: true,
    pullRequestsForCommit: true,
    mergePullRequest: true,
  },
  ci: { resolvePending: true, cancel: true },
  appStore: { release: true, replyToReview: true, listReviewFiles: true, addReviewFile: true },
  betaTesting: {},
  testManagement: {},
  issueTracking: { ensureVersion: true, setVersion: true, addLabels: true, releaseVersion: true },
  chat: { ensureChannel: true, update: true, findUserByEmail: true },
  crashMonitoring: {},
  productAnalytics: { adoption: true },
  experimentation: {},
  onCall: {},
  localization: {},
}

/**
 * Returns an optional method of a capability, bound to it.
 * @throws ProviderError `unsupported` where the plugin has left it out
 */
export function feature<Capability extends object, Name extends OptionalMethod<Capability>>(
  capability: Capability,
  name: Name
): NonNullable<Capability[Name]> {
  const method = capability[name]
  if (typeof method === 'function') return method.bind(capability)
  throw new ProviderError('unsupported', `The plugin has no ${String(name)}`, {
    outcome: 'notApplied',
    reason: 'feature',
  })
}

/** Methods that every plugin of a kind has. */
export const REQUIRED_METHODS: RequiredMethods = {
  versionControl: {
    getBranch: true,
    createBranch: true,
    compare: true,
    listTags: true,
    createTag: true,
    readFile: true,
    commitFiles: true,
    cherryPick: true,
  },
  ci: {
    listWorkflows: true,
    trigger: true,
    getRun: true,
    listRuns: true,
    listArtifacts: true,
    openArtifact: true,
  },
  appStore: {
    listVersions: true,
    listBuilds: true,
    prepare: true,
    getMetadata: true,
    setMetadata: true,
    submit: true,
    cancelReview: true,
    setRollout: true,
    listReviews: true,
  },
  betaTesting: { listGroups: true, listBuilds: true, setNotes: true, distribute: true },
  testManagement: { findRuns: true, getRun: true, listResults: true },
  issueTracking: { search: true, get: true, listStatuses: true },
  chat: { listChannels: true, post: true },
  crashMonitoring: { health: true, listIssues: true },
  productAnalytics: { listEvents: true, series: true },
  experimentation: { listFlags: true, getFlag: true, setEnabled: true },
  onCall: { listSchedules: true, whoIsOnCall: true },
  localization: { listLocales: true },
}
