import { enumeration } from '#foundation/core/enumerations'
import { KINDS, type Kind } from '#plugin-kit/kinds'

/** An integration type and its provider. */
export interface IntegrationTypeInfo {
  kind: Kind
  vendor: string
}

const TYPES_BY_KIND: Record<Kind, Record<string, string>> = {
  versionControl: {
    'github-vcs': 'github',
    'gitlab-vcs': 'gitlab',
    'bitbucket-vcs': 'bitbucket',
    'azure-vcs': 'azure',
    'git-vcs': 'git',
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

/** The types with fixed names, whether a plugin offers them or not; plugins add more. */
export const INTEGRATION_TYPES: ReadonlyMap<string, IntegrationTypeInfo> = new Map(
  KINDS.flatMap((kind) =>
    Object.entries(TYPES_BY_KIND[kind]).map(
      ([type, vendor]) => [type, { kind, vendor }] satisfies [string, IntegrationTypeInfo]
    )
  )
)

/** `CIIntegrationId`: the types that build. */
export const CI_INTEGRATION_IDS = enumeration(
  'CIIntegrationId',
  Object.keys(TYPES_BY_KIND.ci),
  'CI system that a build comes from; `generic-ci` is your own.'
)

/**
 * The status of a connection: the credentials worked at the last check, are unchecked, were
 * refused, or were removed.
 */
export const CONNECTION_STATUSES = [
  'connected',
  'unverified',
  'needs_reauth',
  'disconnected',
] as const
export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number]
