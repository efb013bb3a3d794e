import { HOUR } from './durations.js'
import { chance } from './chance.js'

/*
 * An issue tracker. Each version that CI has built has tickets in every project that is asked for,
 * and their progress follows from chance; other tickets are created by requests. Instants are
 * milliseconds since the epoch.
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
  /** Created or changed tickets; they take precedence over those that a version adds by itself. */
  tickets: readonly SimulatedTicket[]
  versions: readonly { id: string; project: string; name: string; releasedAt: string | null }[]
  /** Number of tickets that a version adds by itself, in each project. */
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

/** Returns all tickets of a project. @param versions the versions that CI has built, and when */
export function ticketsOf(
  tracker: SimulatedTracker,
  { seed, now, project }: { seed: string; now: number; project: string },
  versions: readonly { version: string; at: number }[]
): SimulatedTicket[] {
  const own = tracker.tickets.filter((each) => each.project === project)
  const changed = new Set(own.map(({ key }) => key))
  const generated = versions.flatMap(({ version, at }, index) =>
    Array.from({ length: tracker.perVersion }, (_, place) => {
      const key = `${project}-${100 * (index + 1) + place}`
      const draw = (what: string) => chance(seed, `ticket ${what}`, key)
      const lasts = draw('begins') * 24 * HOUR
      const [begins, ends] = [at + lasts, at + lasts + draw('ends') * 72 * HOUR]
      const [todo, doing, done] = [0, 1, tracker.statuses.length - 1].map(
        (step) => tracker.statuses[Math.min(step, tracker.statuses.length - 1)].name
      )
      return {
        key,
        project,
        title: ABOUT[Math.floor(draw('title') * ABOUT.length)],
        status: now < begins ? todo : now < ends ? doing : done,
        labels: [],
        versions: [version],
        idempotencyKey: null,
      }
    })
  )
  return [...own, ...generated.filter(({ key }) => !changed.has(key))]
}

/** Creates a ticket; idempotent by its key. */
export function createTicket(
  tracker: SimulatedTracker,
  input: Pick<SimulatedTicket, 'project' | 'title' | 'labels' | 'idempotencyKey'>
): { tracker: SimulatedTracker; ticket: SimulatedTicket } {
  const { project, idempotencyKey } = input
  const known = tracker.tickets.find(
    (each) => idempotencyKey !== null && each.idempotencyKey === idempotencyKey
  )
  if (known) return { tracker, ticket: known }
  // Above the keys of tickets that versions add by themselves.
  const key = `${project}-${10_001 + tracker.tickets.length}`
  const ticket = { ...input, key, status: tracker.statuses[0].name, versions: [] }
  return { tracker: { ...tracker, tickets: [...tracker.tickets, ticket] }, ticket }
}

/** Stores a ticket in its present state. */
export function storeTicket(tracker: SimulatedTracker, ticket: SimulatedTicket): SimulatedTracker {
  const others = tracker.tickets.filter(({ key }) => key !== ticket.key)
  return { ...tracker, tickets: [...others, ticket] }
}

/** Returns a version of a project, and creates it if there is none. */
export function ensureVersion(tracker: SimulatedTracker, project: string, name: string) {
  const known = tracker.versions.find((each) => each.project === project && each.name === name)
  if (known) return { tracker, version: known }
  const version = { id: String(tracker.versions.length + 1), project, name, releasedAt: null }
  return { tracker: { ...tracker, versions: [...tracker.versions, version] }, version }
}
