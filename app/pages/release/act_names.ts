/** The names of the acts on steps of a release; each is the last part of an address. */
export const ACT_NAMES = [
  'kickoff',
  'build',
  'approve',
  'submit',
  'withdraw',
  'takeoff',
  'complete',
] as const
export type ActName = (typeof ACT_NAMES)[number]
