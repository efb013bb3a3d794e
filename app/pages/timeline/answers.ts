import type { Entry, Release } from '../release/answers.js'
import type { Chain } from './chain.js'

/** A timeline as its page shows it. */
export interface TimelineAnswers {
  release: Release
  /** All of them, in their order. */
  entries: readonly Entry[]
  chain: Chain
}
