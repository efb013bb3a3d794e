import type { Scope } from '#foundation/core/scope'
import type { StoreType } from '../vocabulary.js'
import { sideOf, type PairRow } from './find_pair.js'
import { OTHER } from './pair_step.js'

export const PLATFORM: Readonly<Record<StoreType, string>> = { apple: 'iOS', google: 'Android' }

/** Returns a description of a release of a pair, for people who may not see its app. */
export const nameOfSide = (side: StoreType) => `the ${PLATFORM[side]} release of its pair`

export const otherName = (row: PairRow, release: { id: string }) =>
  nameOfSide(OTHER[sideOf(row, release)])

/**
 * Returns whether texts may name a release of an app. Texts by the service itself may not: people
 * who do not see the app read them in timelines and chats.
 */
export const isNamed = (scope: Scope, appId: string): boolean =>
  (scope.actor.type === 'user' || scope.actor.type === 'apiKey') && scope.sees(appId)
