/** Plugins whose connections lead into a simulated world. */
export const SIMULATORS: readonly string[] = ['sim', 'sim-apple', 'sim-google', 'sim-git']

/** What a simulated world has of its own, or takes of any name, by the field of an integration. */
export const SIMULATED_DATA = {
  repoName: 'shop',
  workflowId: 'release',
  bundleId: 'com.acme.shop',
  primaryChannelIds: 'C1',
} as const
