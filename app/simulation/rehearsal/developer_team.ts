import { DAY, HOUR } from '#foundation/core/durations'
import { chance } from '#simulated-providers/chance'
import { ABOUT, createTicket, storeTicket } from '#simulated-providers/tracker'
import type { World } from '../world/world.js'
import { OWN_WORK, type CodeRoom, type Work } from './code_room.js'
import type { Person } from './deeds.js'
import { doneAt } from './working_hours.js'

/** The pause between a merge and the next change. */
const CHANGE_INTERVAL = 2 * DAY
/** The interval between polls of an open pull request. */
const POLL_INTERVAL = 2 * HOUR
/** Maximum rounds of improving a change before it is merged as it is, if the host allows it. */
const MAX_ROUNDS = 3

interface Context {
  room: CodeRoom
  people: readonly Person[]
  seed: string
  /** Project of new tickets; null without an issue tracker. */
  project: string | null
  read: () => World
  change: (work: (world: World) => World) => Promise<void>
  /** The version that will contain a change, if it is known. */
  nextVersion: () => Promise<string | null>
  reported: (text: string) => void
}

interface OpenChange extends Work {
  number: number
  ticket: string | null
  rounds: number
}

/**
 * The developers of a rehearsed app. They make one change after the other. Each has a ticket, a
 * branch, and a pull request that is checked, reviewed and merged.
 */
export class DeveloperTeam {
  #begun = 0
  #work: OpenChange | null = null
  #nextAt: number

  /** @param now milliseconds since the epoch */
  constructor(
    private readonly context: Context,
    now: number
  ) {
    this.#nextAt = doneAt(context.seed, now, 'the first change')
  }

  /** Time of the next action, in milliseconds. */
  get nextAt(): number {
    return this.#nextAt
  }

  /** Performs the due action, if any. @returns the number of actions */
  async act(now: number): Promise<number> {
    if (now < this.#nextAt) return 0
    if (isAway(this.context.read(), now))
      return this.#schedule(now, POLL_INTERVAL, 'the host is away')
    return this.#work === null ? this.#begin(now) : this.#continue(this.#work, now)
  }

  async #begin(now: number): Promise<number> {
    const { room, seed, reported } = this.context
    const index = ++this.#begun
    const about = ABOUT[Math.floor(chance(seed, 'change is about', index) * ABOUT.length)]
    const author = this.#choosePerson(`begins ${index}`)
    const ticket = await this.#ticket(about)
    const title = ticket === null ? about : `${ticket} ${about}`
    const words = title.replace(/[^A-Za-z0-9-]+/g, '-')
    const work = { branch: `${OWN_WORK}${words}-${index}`, title, author }
    await room.commit(work, title)
    const number = await room.open(work)
    if (number === null) return this.#schedule(now, CHANGE_INTERVAL, `${index}`)
    this.#work = { ...work, number, ticket, rounds: 0 }
    reported(`${author} opens the pull request #${number}: ${title}`)
    return this.#schedule(now, POLL_INTERVAL, `${index} is opened`)
  }

  async #continue(work: OpenChange, now: number): Promise<number> {
    const { room, reported } = this.context
    const { checks, review } = await room.progress(work, work.number)
    const isBad = checks === 'failing' || review === 'changesRequested'
    if (isBad && work.rounds < MAX_ROUNDS) {
      work.rounds++
      await room.commit(work, `${work.title}, better`)
      const why = checks === 'failing' ? 'its checks fail' : 'reviewers want changes'
      reported(`${work.author} changes #${work.number}, as ${why}`)
      return this.#schedule(now, POLL_INTERVAL, `${work.number} ${work.rounds}`)
    }
    if (!isBad && (checks === 'pending' || review === 'pending')) {
      return this.#schedule(now, POLL_INTERVAL, `${work.number} waits at ${now}`) - 1
    }
    this.#work = null
    const by = this.#choosePerson(`merges ${work.number}`)
    const isMerged = await room.merge(work, work.number, by)
    if (isMerged) await this.#close(work.ticket)
    reported(
      isMerged
        ? `${by} merges #${work.number}: ${work.title}`
        : `${by} leaves #${work.number}: the host does not take it`
    )
    return this.#schedule(now, CHANGE_INTERVAL, `${work.number} is over`)
  }

  #schedule(now: number, span: number, what: string): number {
    this.#nextAt = doneAt(this.context.seed, now + span, what)
    return 1
  }

  /** Creates the ticket of a change. @returns its key */
  async #ticket(title: string): Promise<string | null> {
    const { project, change, nextVersion } = this.context
    if (project === null) return null
    const version = await nextVersion()
    let key: string | null = null
    await change((world) => {
      const draft = { project, title, labels: [], idempotencyKey: `change ${this.#begun}` }
      const { tracker, ticket } = createTicket(world.tracker, draft)
      key = ticket.key
      const [, doing = ticket.status] = tracker.statuses.map(({ name }) => name)
      const versions = version === null ? [] : [version]
      return { ...world, tracker: storeTicket(tracker, { ...ticket, status: doing, versions }) }
    })
    return key
  }

  async #close(key: string | null): Promise<void> {
    await this.context.change((world) => {
      const { tracker } = world
      const ticket = tracker.tickets.find((each) => each.key === key)
      const done = tracker.statuses.find((each) => each.done)
      if (!ticket || !done) return world
      return { ...world, tracker: storeTicket(tracker, { ...ticket, status: done.name }) }
    })
  }

  #choosePerson(what: string): string {
    const { people, seed } = this.context
    return people[Math.floor(chance(seed, 'who writes', what) * people.length)].actor.name
  }
}

const isAway = ({ outages, limits, revocations }: World, now: number) =>
  [...outages, ...limits, ...revocations].some(
    ({ of, from, until }) =>
      (of === null || of === 'code') && from <= now && now < (until ?? Infinity)
  )
