/** The use of each kind of provider for a release, in a few words. */
const KINDS: Readonly<Record<string, string>> = {
  versionControl: 'Code',
  ci: 'Builds',
  customCi: 'Builds that you send',
  appStore: 'A store',
  betaTesting: 'Beta testing',
  testManagement: 'Test runs',
  issueTracking: 'Tickets',
  chat: 'Messages',
  crashMonitoring: 'Crashes',
  productAnalytics: 'Analytics',
  customObservability: 'Measurements that you send',
  experimentation: 'Feature flags',
  onCall: 'Who is on call',
  localization: 'Translations',
}

/** Returns the kinds of a provider as people call them, in one line. */
export function kindsText(kinds: readonly string[]): string {
  const [first, ...rest] = kinds.map((kind) => KINDS[kind] ?? kind)
  return [first, ...rest.map((each) => each[0].toLowerCase() + each.slice(1))].join(', ')
}
