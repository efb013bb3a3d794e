import type { Ticket } from '#plugin-kit/capabilities/work'

/** An observation of one tracker for a release. */
export interface SeenTracker {
  integrationId: string
  projects: string[]
  /** Statuses that count as done beside what the tracker calls so, in lower case. */
  doneStatuses: string[]
  /** Those that say they belong to the release. */
  affiliated: Ticket[]
  /** Results for the requested keys. */
  named: Ticket[]
  /** In upper case. */
  asked: string[]
  /** Tickets by requested keys that are not their own: moved ones, and those of a short form. */
  otherwise: ReadonlyMap<string, Ticket>
}
