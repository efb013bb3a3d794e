import { HOUR } from './durations.js'
import { chance } from './chance.js'

/*
 * An issue tracker. Each version that CI has built has tickets in every project that is asked
 * for, which are worked on by chance; others are made by whoever asks. Instants are milliseconds
 * since the epoch.
 */

export interface SimulatedTicket {
  key: string
  project: string
  title: string
  status: string
  labels: readonly string[]
  versions: readonly string[]
  /** The assignee; absent for nobody. */
  assignee?: string
  /** Idempotency key of its creator; null for others. */
  idempotencyKey: string | null
}

export interface SimulatedTracker {
  statuses: readonly { name: string; done: boolean }[]
  /** Created or changed tickets; they precede those that a version adds by itself. */
  tickets: readonly SimulatedTicket[]
  versions: readonly { id: string; project: string; name: string; releasedAt: string | null }[]
  /** Tickets that a version brings by itself, in each project. */
  perVersion: number
}

export const USUAL_TRACKER: SimulatedTracker = {
  statuses: [
    { name: 'To do', done: false },
    { name: 'In progress', done: false },
    { name: 'Done', done: true },
  ],
  tickets: [],
  versions: [],
  perVersion: 5,
}

/** Topics of tickets. */
export const ABOUT = [
  'Checkout loses the coupon',
  'Start faster',
  'Show prices with taxes',
  'Search finds accents',
  'Images in the basket are blurred',
  'Keep the session over a restart',
]

/** All tickets of a project. @param versions those that there are, and since when */
export function ticketsOf(
  tracker: SimulatedTracker,
  { seed, now, project }: { seed: string; now: number; project: string },
  versions: readonly { version: string; at: number }[]
): SimulatedTicket[] {
  const own = tracker.tickets.filter((each) => each.project === project)
  const changed = new Set(own.map(({ key }) => key))
  const brought = versions.flatMap(({ version, at }, index) =>
    Array.from({ length: tracker.perVersion }, (_, place) => {
      const key = `${project}-${100 * (index + 1) + place}`
      const of = (what: string) => chance(seed, `ticket ${what}`, key)
      const lasts = of('begins') * 24 * HOUR
      const [begins, ends] = [at + lasts, at + lasts + of('ends') * 72 * HOUR]
      const [todo, doing, done] = [0, 1, tracker.statuses.length - 1].map(
        (step) => tracker.statuses[Math.min(step, tracker.statuses.length - 1)].name
      )
      return {
        key,
        project,
        title: ABOUT[Math.floor(of('title') * ABOUT.length)],
        status: now < begins ? todo : now < ends ? doing : done,
        labels: [],
        versions: [version],
        idempotencyKey: null,
      }
    })
  )
  return [...own, ...brought.filter(({ key }) => !changed.has(key))]
}

/** Makes a ticket; a key makes it once. */
export function createTicket(
  tracker: SimulatedTracker,
  input: Pick<SimulatedTicket, 'project' | 'title' | 'labels' | 'idempotencyKey'>
): { tracker: SimulatedTracker; ticket: SimulatedTicket } {
  const { project, idempotencyKey } = input
  const known = tracker.tickets.find(
    (each) => idempotencyKey !== null && each.idempotencyKey === idempotencyKey
  )
  if (known) return { tracker, ticket: known }
  // Beyond what versions bring by themselves.
  const key = `${project}-${10_001 + tracker.tickets.length}`
  const ticket = { ...input, key, status: tracker.statuses[0].name, versions: [] }
  return { tracker: { ...tracker, tickets: [...tracker.tickets, ticket] }, ticket }
}

/** Keeps a ticket as it is now. */
export function keepTicket(tracker: SimulatedTracker, ticket: SimulatedTicket): SimulatedTracker {
  const others = tracker.tickets.filter(({ key }) => key !== ticket.key)
  return { ...tracker, tickets: [...others, ticket] }
}

/** A version of a project, which is made where there is none. */
export function ensureVersion(tracker: SimulatedTracker, project: string, name: string) {
  const known = tracker.versions.find((each) => each.project === project && each.name === name)
  if (known) return { tracker, version: known }
  const version = { id: String(tracker.versions.length + 1), project, name, releasedAt: null }
  return { tracker: { ...tracker, versions: [...tracker.versions, version] }, version }
}
