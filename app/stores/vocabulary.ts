import type { Instant } from '#foundation/core/clock'
import type { Actor } from '#foundation/core/principal'

/** The vocabulary of a store, `AppStoreDataType`. */
export type StoreType = 'apple' | 'google'

/** The evidence that matched a build of a store to a CI build. */
export type BuildMatch = 'number' | 'commit' | 'hand'

/** The kinds of polls. */
const WATCHED = ['versions', 'liveVersions', 'builds', 'betaBuilds', 'reviews'] as const
export type Watched = (typeof WATCHED)[number]

/**
 * The frequency of polls of the versions in a store: `versions` within minutes while something
 * moves, `liveVersions` once a day while users have a version that a person can still change.
 */
export type VersionPace = Extract<Watched, 'versions' | 'liveVersions'>

/** The data of a review beside its text. */
export interface ReviewData {
  device: string | null
  osVersion: string | null
  androidVersionCode: number | null
  developerResponse: { body: string; at: Instant; state: ResponseState } | null
}

/** States of a reply in the store; users see it once it is published. */
export const RESPONSE_STATES = ['pending', 'published'] as const
type ResponseState = (typeof RESPONSE_STATES)[number]

export const ASKED_STATES = ['pending', 'sent', 'refused'] as const
type AskedState = (typeof ASKED_STATES)[number]

/** A person's request to a store, and its result. */
export interface AskedOfStore {
  id: string
  /** `sent`: the store has taken it. */
  state: AskedState
  askedAt: Instant
  askedBy: Actor
  /** When the store took or refused it; null while it has not. */
  endedAt: Instant | null
  /** Why it is refused, and what a person can do about it. */
  reason: string | null
  action: string | null
}

/** The last answer to a review that was asked for here. */
export interface ReviewReply extends AskedOfStore {
  text: string
}

/** Groups of testers that a build is to be given to, as the store knows them. */
export interface Distribution extends AskedOfStore {
  /** Names, or ids. */
  groups: string[]
  notes: { locale: string; text: string }[]
}

/** The members of a request that was not refused. */
export const NO_REFUSAL = { reason: null, action: null } as const

/** The most characters of test notes in one language. */
export const MAX_OF_TEST_NOTES: Readonly<Record<StoreType, number>> = { apple: 4000, google: 500 }

/** Most characters that a store takes of an answer. */
export const MAX_OF_REPLY: Readonly<Record<StoreType, number>> = { apple: 5970, google: 350 }

export const SENTIMENTS = ['positive', 'neutral', 'negative'] as const
type Sentiment = (typeof SENTIMENTS)[number]

/** Derives the sentiment from the stars alone; the text is not analyzed. */
export function sentimentOf(rating: number): Sentiment {
  if (rating >= 4) return 'positive'
  return rating === 3 ? 'neutral' : 'negative'
}
