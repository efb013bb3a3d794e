import type { Entry, Release } from '../release/answers.js'
import type { Chain } from './chain.js'

/** The answers that the page of a timeline shows. */
export interface TimelineAnswers {
  release: Release
  /** All entries, the oldest first. */
  entries: readonly Entry[]
  chain: Chain
}
