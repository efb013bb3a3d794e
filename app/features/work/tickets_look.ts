import type { Ticket } from '#plugin-kit/capabilities/work'

/** What was seen of one tracker for a release. */
export interface SeenTracker {
  integrationId: string
  projects: string[]
  /** Statuses that count as done beside what the tracker calls so, in lower case. */
  doneStatuses: string[]
  /** Those that say they belong to the release. */
  affiliated: Ticket[]
  /** What came of the keys that were asked for. */
  named: Ticket[]
  asked: string[]
}
