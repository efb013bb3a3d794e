import type { Instant } from '#foundation/core/clock'
import type { Actor } from '#foundation/core/principal'

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
  developerResponse: { body: string; at: Instant; state: ResponseState } | null
}

/** An answer that the store has: users see it once it is published. */
export const RESPONSE_STATES = ['pending', 'published'] as const
type ResponseState = (typeof RESPONSE_STATES)[number]

export const REPLY_STATES = ['pending', 'sent', 'refused'] as const
type ReplyState = (typeof REPLY_STATES)[number]

/** The last answer to a review that was asked for here. */
export interface ReviewReply {
  id: string
  text: string
  /** `sent`: the store has taken it. */
  state: ReplyState
  askedAt: Instant
  askedBy: Actor
  /** When the store took or refused it; null while it has not. */
  endedAt: Instant | null
  /** Why it is refused, and what a person can do about it. */
  reason: string | null
  action: string | null
}

/** Of an answer that nobody refused. */
export const NO_REFUSAL = { reason: null, action: null } as const

/** Most characters that a store takes of an answer. */
export const MOST_OF_REPLY: Readonly<Record<StoreType, number>> = { apple: 5970, google: 350 }

export const SENTIMENTS = ['positive', 'neutral', 'negative'] as const
type Sentiment = (typeof SENTIMENTS)[number]

/** By its stars alone: words are read by nobody here. */
export function sentimentOf(rating: number): Sentiment {
  if (rating >= 4) return 'positive'
  return rating === 3 ? 'neutral' : 'negative'
}
