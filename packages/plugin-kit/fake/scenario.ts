/*
 * The content of a fake provider in the kit's vocabulary, which the fake translates into the
 * provider's. States are those of the capabilities; any other text is an unknown state that the
 * provider added.
 */

export interface ChatScenario {
  channels: { id: string; name: string }[]
  posts: { id: string; channelId: string; text: string; threadOf?: string }[]
  users: { id: string; email: string }[]
}

/**
 * Commit hashes only identify commits within a scenario: a fake with real repositories assigns its
 * own, and reports them by `state()`.
 */
export interface VersionControlScenario {
  branches: { name: string; sha: string; protected: boolean }[]
  /** Oldest first, with the files that each commit changed. */
  commits: {
    sha: string
    message: string
    author: string
    at: string
    parents: string[]
    files: { path: string; text: string }[]
  }[]
  tags: { name: string; sha: string }[]
  pulls: {
    number: number
    title: string
    head: string
    base: string
    sha: string
    state: string
  }[]
  /** Statuses of commits, oldest first; for fakes that have them. */
  statuses?: { sha: string; name: string; state: string; description: string }[]
  /** Releases at the provider, by their tags. */
  releases: { tag: string; title: string; notes: string }[]
  /** Commits that conflict when picked onto another branch, for fakes that do not compare files. */
  conflicting: string[]
}

export interface CiScenario {
  workflows: { id: string; name: string }[]
  runs: { id: string; workflowId: string; branch: string; sha: string; state: string }[]
  artifacts: { id: string; runId: string; name: string; content: string; isExpired: boolean }[]
}

export interface AppStoreScenario {
  builds: { id: string; number: string; version: string; uploadedAt: string; state: string }[]
  versions: {
    id: string
    version: string
    buildNumber: string | null
    state: string
    /** Share of users, from 0 to 1; null while nothing is rolled out. */
    fraction: number | null
    rollout: 'inactive' | 'active' | 'paused' | 'halted' | 'complete'
    /** Number of submissions for review; for fakes that count them. */
    submissions?: number
  }[]
  metadata: { versionId: string; locale: string; whatsNew: string }[]
  reviews: { id: string; rating: number; text: string; at: string; reply: string | null }[]
  /** Files for the store's reviewers of a version; for stores that take files. */
  reviewFiles?: { versionId: string; name: string; size: number }[]
}

export interface BetaTestingScenario {
  groups: { id: string; name: string; internal: boolean }[]
  builds: AppStoreScenario['builds']
  distributed: { buildId: string; groupId: string }[]
  notes: { buildId: string; locale: string; text: string }[]
}

export interface IssueTrackingScenario {
  statuses: { name: string; done: boolean }[]
  tickets: {
    key: string
    project: string
    title: string
    status: string
    labels: string[]
    versions: string[]
    /** The assignee; absent for nobody. */
    assignee?: string
  }[]
  versions: { id: string; project: string; name: string; releasedAt: string | null }[]
}

/** Statuses of tests are `passed`, `failed`, `blocked`, `untested`, `skipped`, or the provider's own. */
export interface TestManagementScenario {
  runs: { id: string; project: string; name: string; closed: boolean }[]
  results: { id: string; runId: string; title: string; status: string; assignee: string | null }[]
}

export interface LocalizationScenario {
  /** Numbers of texts; `reviewed` counts a part of `translated`. */
  locales: { locale: string; total: number; translated: number; reviewed: number }[]
}

export interface ExperimentationScenario {
  flags: { key: string; name: string; environment: string; enabled: boolean; etag: string }[]
}

export interface OnCallScenario {
  schedules: { id: string; name: string }[]
  /** From (included) to until (excluded). */
  shifts: { scheduleId: string; name: string; email: string; from: string; until: string }[]
}

export interface CrashMonitoringScenario {
  versions: { version: string; sessions: number; crashedSessions: number }[]
  issues: {
    id: string
    title: string
    version: string
    users: number
    events: number
    at: string
    isOpen: boolean
  }[]
}

export interface ProductAnalyticsScenario {
  events: { name: string; params: string[] }[]
  points: { event: string; at: string; value: number }[]
  /** Shares of users, from 0 to 1. */
  shares: { version: string; share: number }[]
}

/** The content of each kind that the suite tests. */
export interface ScenarioMap {
  chat: ChatScenario
  versionControl: VersionControlScenario
  ci: CiScenario
  appStore: AppStoreScenario
  betaTesting: BetaTestingScenario
  testManagement: TestManagementScenario
  issueTracking: IssueTrackingScenario
  experimentation: ExperimentationScenario
  onCall: OnCallScenario
  crashMonitoring: CrashMonitoringScenario
  productAnalytics: ProductAnalyticsScenario
  localization: LocalizationScenario
}

/** The kinds that the suite has tests for. */
export type TestedKind = keyof ScenarioMap
export type Scenario = Partial<ScenarioMap>
