import type { Ticket } from '#plugin-kit/capabilities/work'

/** An observation of one tracker for a release. */
export interface SeenTracker {
  integrationId: string
  projects: string[]
  /** Statuses that count as done besides those of the tracker, in lower case. */
  doneStatuses: string[]
  /** Tickets that state they belong to the release. */
  affiliated: Ticket[]
  /** Results for the requested keys. */
  named: Ticket[]
  /** The requested keys, in upper case. */
  asked: string[]
  /** Tickets by requested keys that are not their own: moved ones, and those of a short form. */
  otherwise: ReadonlyMap<string, Ticket>
}
