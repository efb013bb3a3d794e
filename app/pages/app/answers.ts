import type { Release } from '../release/answers.js'
import type { ReleaseAnswers } from '../release/read.js'

/** An app as its page shows it. */
export interface AppAnswers {
  app: ReleaseAnswers['app']
  releases: readonly Release[]
  nextCursor: string | null
  chosen: string
}

/** Statuses of releases, by the tab that shows them. */
export const TABS = [
  ['active', 'Active'],
  ['upcoming', 'Upcoming'],
  ['completed', 'Completed'],
  ['skipped', 'Skipped'],
] as const
