/** Plugins whose connections lead into a simulated world. */
export const SIMULATORS: readonly string[] = ['sim', 'sim-apple', 'sim-google', 'sim-git']

/**
 * The fields of an integration whose values a simulated world has itself, or accepts under any
 * name.
 */
export const SIMULATED_DATA = {
  repoName: 'shop',
  workflowId: 'release',
  bundleId: 'com.acme.shop',
  primaryChannelIds: 'C1',
} as const
