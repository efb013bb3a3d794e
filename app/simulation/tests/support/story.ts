export type { StoryRelease } from '../../rehearsal/story.js'

/** Returns the total hours of some spans. */
export const hoursOf = (spans: readonly { from: string; to: string }[]): number =>
  spans.reduce((sum, { from, to }) => sum + Date.parse(to) - Date.parse(from), 0) / 3_600_000
