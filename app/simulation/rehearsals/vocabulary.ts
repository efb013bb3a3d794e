import { WEEK } from '#foundation/core/durations'

/** The states of a rehearsal; the last three are final. */
export const REHEARSAL_STATES = ['waiting', 'playing', 'played', 'failed', 'stopped'] as const
export type RehearsalState = (typeof REHEARSAL_STATES)[number]

/** Returns whether a state is final. */
export const isOver = (state: RehearsalState): boolean => state !== 'waiting' && state !== 'playing'

export const MAX_WEEKS = 8
export const DEFAULT_WEEKS = 3

/** The scenarios of the box, and what happens in each. */
export const SCENARIOS = {
  'happy-train': 'Nothing goes wrong',
  'failed-build': 'The first build fails',
  'rejected': 'The store rejects the first submission',
  'metadata-rejected': 'Apple rejects the texts of the first submission',
  'processing-stuck': 'The App Store never finishes processing the first build',
  'crash-spike': 'Crashes rise, and sales fall, once 5 % have the version',
  'store-outage': 'Store and CI are down for hours',
  'console': 'A colleague acts in the console of the store',
  'credentials-revoked': 'The App Store refuses the credentials for a day',
  'everything-at-once': 'Every kind of trouble in one release',
} as const
export const SCENARIO_NAMES = Object.keys(SCENARIOS) as (keyof typeof SCENARIOS)[]
/** Scenarios in which something happens in the App Store only. */
export const APP_STORE_SCENARIOS: readonly (keyof typeof SCENARIOS)[] = [
  'metadata-rejected',
  'processing-stuck',
  'credentials-revoked',
]
export const DEFAULT_SCENARIO = 'happy-train'

/** Maximum number of kept rehearsals per app, and the time for which they are kept. */
export const MAX_KEPT = 5
export const KEPT_FOR = 4 * WEEK

/** Maximum number of kept entries of a rehearsal. */
export const MAX_ENTRIES = 2000
