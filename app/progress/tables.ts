import { flag, instant, json, optional, table, text } from '#foundation/core/database/table'
import type { Seen } from './vocabulary.js'

/** The progress of translations and test runs of releases, as last reported. */
export const releaseProgress = table('release_progress', {
  organizationId: text(),
  appId: text(),
  /** Internal id. */
  releaseId: text(),
  what: text<keyof Seen>(),
  /** True while it is polled. */
  isWatched: flag(),
  /** Null before the first poll. */
  seen: optional(json<Seen[keyof Seen]>()),
  seenAt: optional(instant()),
})

declare module '#foundation/core/database/table' {
  interface Tables {
    release_progress: typeof releaseProgress
  }
}
