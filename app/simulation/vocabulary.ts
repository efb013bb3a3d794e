/** Plugins whose connections lead into a simulated world. */
export const SIMULATORS: readonly string[] = ['sim', 'sim-apple', 'sim-google', 'sim-git']
