import { enumeration } from '#foundation/core/enumerations'

/** The twelve kinds of integration of the specification. */
export const INTEGRATION_KINDS = [
  'versionControl',
  'appStore',
  'betaTesting',
  'ci',
  'testManagement',
  'issueTracking',
  'chat',
  'crashMonitoring',
  'productAnalytics',
  'experimentation',
  'onCall',
  'localization',
] as const
export type IntegrationKind = (typeof INTEGRATION_KINDS)[number]

/** What one integration type is, and whose. */
export interface IntegrationTypeInfo {
  kind: IntegrationKind
  vendor: string
}

const TYPES_BY_KIND: Record<IntegrationKind, Record<string, string>> = {
  versionControl: {
    'github-vcs': 'github',
    'gitlab-vcs': 'gitlab',
    'bitbucket-vcs': 'bitbucket',
    'azure-vcs': 'azure',
  },
  appStore: { apple: 'apple', google: 'google', amazon: 'amazon', huawei: 'huawei' },
  betaTesting: { 'apple-beta': 'apple', 'google-beta': 'google' },
  ci: {
    'appcenter-ci': 'appcenter',
    'apple-ci': 'apple',
    'azure-ci': 'azure',
    'bitrise': 'bitrise',
    'buildkite': 'buildkite',
    'circleci': 'circleci',
    'codemagic': 'codemagic',
    'generic-ci': 'generic',
    'github-ci': 'github',
    'gitlab-ci': 'gitlab',
    'jenkins': 'jenkins',
    'travis': 'travis',
  },
  testManagement: { testrail: 'testrail', xray: 'xray', zephyr: 'zephyr', qase: 'qase' },
  issueTracking: {
    'jira': 'jira',
    'linear': 'linear',
    'asana': 'asana',
    'github-issues': 'github',
    'azure-boards': 'azure',
    'shortcut': 'shortcut',
    'monday': 'monday',
    'pivotal': 'pivotal',
  },
  chat: { slack: 'slack', teams: 'teams' },
  crashMonitoring: {
    'sentry': 'sentry',
    'crashlytics': 'crashlytics',
    'bugsnag': 'bugsnag',
    'datadog-rum': 'datadog',
    'instabug': 'instabug',
  },
  productAnalytics: {
    'amplitude': 'amplitude',
    'mixpanel': 'mixpanel',
    'generic-analytics': 'generic',
  },
  experimentation: {
    'optimizely': 'optimizely',
    'launchdarkly': 'launchdarkly',
    'statsig': 'statsig',
    'firebase-remote-config': 'firebase',
  },
  onCall: { pagerduty: 'pagerduty', opsgenie: 'opsgenie' },
  localization: { lokalise: 'lokalise', phrase: 'phrase', crowdin: 'crowdin' },
}

/** The types of integrations that are built in; plugins may add to them. */
export const INTEGRATION_TYPES: ReadonlyMap<string, IntegrationTypeInfo> = new Map(
  INTEGRATION_KINDS.flatMap((kind) =>
    Object.entries(TYPES_BY_KIND[kind]).map(
      ([type, vendor]) => [type, { kind, vendor }] satisfies [string, IntegrationTypeInfo]
    )
  )
)

/** `IntegrationType`, by kind. */
export const INTEGRATION_TYPE_NAMES = enumeration(
  'IntegrationType',
  [...INTEGRATION_TYPES.keys()],
  'A type of integration: the service, and what it is used for.'
)

/** `CIIntegrationId`: the types that build. */
export const CI_INTEGRATION_IDS = enumeration(
  'CIIntegrationId',
  Object.keys(TYPES_BY_KIND.ci),
  'The CI system a build comes from; `generic-ci` is one of your own.'
)

/** What a field of an integration's `data` holds. */
export type DataField = 'text' | 'texts' | 'events'
export type DataFields = Readonly<Record<string, DataField>>

/** The `data` fields that the specification names for each kind, in its order. */
export const DATA_FIELDS: Record<IntegrationKind, DataFields> = {
  versionControl: { repoName: 'text' },
  appStore: { bundleId: 'text' },
  betaTesting: { bundleId: 'text' },
  ci: { workflowId: 'text', devWorkflowId: 'text' },
  testManagement: { testRunNameKeywords: 'text', project: 'text' },
  issueTracking: { projects: 'texts', additionalDoneStatuses: 'texts' },
  chat: { primaryChannelIds: 'texts' },
  crashMonitoring: {
    orgId: 'text',
    projectId: 'text',
    prodEnvironmentIdentifier: 'text',
    betaEnvironmentIdentifier: 'text',
  },
  productAnalytics: { selectedEventsAndParams: 'events' },
  experimentation: { projectId: 'text', environmentId: 'text', versionAttributeName: 'text' },
  onCall: { scheduleId: 'text' },
  localization: { projectId: 'text', metadataProjectId: 'text' },
}
