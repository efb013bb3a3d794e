import type { Instant } from '#foundation/core/clock'

/** The vocabulary of a store, `AppStoreDataType`. */
export type StoreType = 'apple' | 'google'

/** By what a build of a store was known to be one of CI. */
export type BuildMatch = 'number' | 'commit' | 'hand'

/** The kinds of polls. */
const WATCHED = ['versions', 'liveVersions', 'builds', 'betaBuilds', 'reviews'] as const
export type Watched = (typeof WATCHED)[number]

/**
 * How often the versions in a store are polled: `versions` within minutes while something moves,
 * `liveVersions` once a day while users have a version that a person can still change.
 */
export type VersionPace = Extract<Watched, 'versions' | 'liveVersions'>

/** The data of a review beside its text. */
export interface ReviewData {
  device: string | null
  osVersion: string | null
  androidVersionCode: number | null
  developerResponse: { body: string; at: Instant } | null
}

export const SENTIMENTS = ['positive', 'neutral', 'negative'] as const
type Sentiment = (typeof SENTIMENTS)[number]

/** By its stars alone: words are read by nobody here. */
export function sentimentOf(rating: number): Sentiment {
  if (rating >= 4) return 'positive'
  return rating === 3 ? 'neutral' : 'negative'
}
