import type { StoreType } from '../vocabulary.js'
import { sideOf, type PairRow } from './find_pair.js'
import { OTHER } from './pair_step.js'

export const PLATFORM: Readonly<Record<StoreType, string>> = { apple: 'iOS', google: 'Android' }

/** The other release of a pair, for people who may not see its app. */
export const nameOfSide = (side: StoreType) => `the ${PLATFORM[side]} release of its pair`

export const otherName = (row: PairRow, release: { id: string }) =>
  nameOfSide(OTHER[sideOf(row, release)])
