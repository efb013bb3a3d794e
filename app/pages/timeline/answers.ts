import type { Entry, Release } from '../release/answers.js'
import type { Chain } from './chain.js'

/** A timeline as its page shows it. */
export interface TimelineAnswers {
  release: Release
  entries: readonly Entry[]
  nextCursor: string | null
  chain: Chain
}
