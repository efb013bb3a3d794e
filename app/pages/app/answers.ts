import type { Release } from '../release/answers.js'
import type { ReleaseAnswers } from '../release/read.js'

/** The answers that the page of an app shows. */
export interface AppAnswers {
  app: ReleaseAnswers['app']
  releases: readonly Release[]
  nextCursor: string | null
  /** The status of the chosen tab. */
  chosen: string
}

/** The tabs of an app, each for a status of releases. */
export const TABS = [
  ['active', 'Active'],
  ['upcoming', 'Upcoming'],
  ['completed', 'Completed'],
  ['skipped', 'Skipped'],
] as const
