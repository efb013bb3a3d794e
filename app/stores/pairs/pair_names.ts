import type { Scope } from '#foundation/core/scope'
import type { StoreType } from '../vocabulary.js'
import { sideOf, type PairRow } from './find_pair.js'
import { OTHER } from './pair_step.js'

export const PLATFORM: Readonly<Record<StoreType, string>> = { apple: 'iOS', google: 'Android' }

/** The other release of a pair, for people who may not see its app. */
export const nameOfSide = (side: StoreType) => `the ${PLATFORM[side]} release of its pair`

export const otherName = (row: PairRow, release: { id: string }) =>
  nameOfSide(OTHER[sideOf(row, release)])

/**
 * Returns whether a release of an app is named to the requester. What the service itself writes is
 * read in timelines and chats, by people who may not see the app.
 */
export const isNamed = (scope: Scope, appId: string): boolean =>
  (scope.actor.type === 'user' || scope.actor.type === 'apiKey') && scope.sees(appId)
