import { WEEK } from '#foundation/core/durations'

/** The progress of a rehearsal; the last three are ends. */
export const REHEARSAL_STATES = ['waiting', 'playing', 'played', 'failed', 'stopped'] as const
export type RehearsalState = (typeof REHEARSAL_STATES)[number]

/** True if nobody plays it any more, or will. */
export const isOver = (state: RehearsalState): boolean => state !== 'waiting' && state !== 'playing'

export const MOST_WEEKS = 8
export const USUAL_WEEKS = 3

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
/** Scenarios in which something happens in the App Store alone. */
export const OF_APP_STORE: readonly (keyof typeof SCENARIOS)[] = [
  'metadata-rejected',
  'processing-stuck',
  'credentials-revoked',
]
export const USUAL_SCENARIO = 'happy-train'

/** Rehearsals of an app that are kept, and for how long. */
export const MOST_KEPT = 5
export const KEPT_FOR = 4 * WEEK

/** Entries of a rehearsal that are kept. */
export const MOST_ENTRIES = 2000
