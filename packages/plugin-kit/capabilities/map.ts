import type { Kind } from '../kinds.js'
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

type OptionalMethods = {
  [Each in Kind]: Readonly<Record<OptionalMethod<CapabilityMap[Each]>, true>>
}

/** Methods that a plugin may leave out; those it has are the `features` of its manifest. */
export const OPTIONAL_METHODS: OptionalMethods = {
  versionControl: { createRelease: true },
  ci: { resolvePending: true, cancel: true },
  appStore: { replyToReview: true },
  betaTesting: {},
  testManagement: {},
  issueTracking: { ensureVersion: true, setVersion: true, releaseVersion: true },
  chat: { ensureChannel: true, update: true, findUserByEmail: true },
  crashMonitoring: {},
  productAnalytics: { adoption: true },
  experimentation: {},
  onCall: {},
  localization: { getStoreMetadata: true },
}
