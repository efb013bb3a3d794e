import { compareTexts } from '../../foundation/core/compare_texts.js'
import { as, of, select } from '#foundation/core/database/statement'
import { integer } from '#foundation/core/database/table'
import { events } from '#foundation/core/events/tables'
import type { Instant } from '#foundation/core/clock'
import { integrationCalls } from '#integrations/tables'
import { EVERY_EVENT } from '#webhooks/subscription'
import { settleUntil } from '../world/consoles.js'
import { momentsBetween } from '../world/reported_moments.js'
import type { World } from '../world/world.js'
import type { Rehearsed, RehearsalPlan, RehearsalEntry } from './plan.js'
import type { RehearsedService } from './service.js'

/** Ordered by `rowid`, the order of recording, because rehearsals use SQLite. */
const EVENTS = select(
  {
    ...of(events, 'e', ['type', 'occurredAt', 'title', 'actor', 'sequence']),
    row: as(integer(), 'e.rowid'),
  },
  `from events e where e.organization_id = :org and e.rowid > :after
  order by e.rowid limit 500`
)
const CALLS = select(
  of(integrationCalls, 'c', ['path', 'method', 'status']),
  `from integration_calls c where c.organization_id = :org and c.method <> 'GET'
  order by c.rowid limit 100000`
)

/** Actors whose names are left out. */
const SYSTEM_ACTORS = ['console', 'service']

/** Records the events of a rehearsal, and the messages that people would get. */
export class Chronicle {
  readonly #types: string[] = []
  /** The texts of posts, by their ids. */
  readonly #postTexts = new Map<string, string>()
  readonly #sentTo = new Map<string, number>()
  readonly #notes: RehearsalEntry[] = []
  #seen = 0
  #after = 0
  /** Time up to which moments of the world are reported, in milliseconds. */
  #until: number

  /** @param reported called with every event as it happens */
  constructor(
    private readonly service: RehearsedService,
    private readonly endpoints: RehearsalPlan['endpoints'],
    private readonly reported: (each: RehearsalEntry) => void
  ) {
    this.#until = service.clock.milliseconds() - 1
  }

  /** Number of events so far. */
  get happened(): number {
    return this.#seen
  }

  /** Reports the events since the last call, in the order of time. */
  async report(world: World): Promise<void> {
    const now = this.service.clock.milliseconds()
    const all = [
      ...this.#momentsUntil(world, now),
      ...this.#notes.splice(0),
      ...(await this.#events()),
      ...this.#posts(world),
    ]
    for (const each of all.sort(byTime)) this.reported(each)
  }

  /** Adds an entry that has no event; it is reported with the next events. */
  note(at: Instant, kind: 'did' | 'refused', text: string): void {
    this.#notes.push({ at, kind, text })
  }

  #momentsUntil(world: World, now: number): RehearsalEntry[] {
    // Settles the world first, to include the console actions that are due.
    const moments = momentsBetween(settleUntil(world, now), this.#until, now)
    this.#until = now
    return moments.map(({ at, text }) => ({
      ...{ at: new Date(at).toISOString(), kind: 'world', text },
    }))
  }

  async #events(): Promise<RehearsalEntry[]> {
    const reported: RehearsalEntry[] = []
    for (;;) {
      const rows = await this.service.read().rows(EVENTS, { after: this.#after })
      for (const { type, occurredAt: at, title, actor, sequence, row } of rows) {
        this.#after = row
        const by = SYSTEM_ACTORS.includes(actor.name) ? '' : ` (${actor.name})`
        reported.push({ at, kind: 'happened', text: `${title}${by}` })
        if (sequence !== null) this.#types.push(type)
      }
      this.#seen += rows.length
      if (rows.length === 0) return reported
    }
  }

  #posts({ chat }: World): RehearsalEntry[] {
    const at = this.service.clock.now()
    return chat.posts.flatMap(({ id, channelId, text }): RehearsalEntry[] => {
      const before = this.#postTexts.get(id)
      if (before === text) return []
      this.#postTexts.set(id, text)
      const channel = chat.channels.find((each) => each.id === channelId)?.name ?? channelId
      const to = `#${channel}`
      this.#sentTo.set(to, (this.#sentTo.get(to) ?? 0) + 1)
      const suffix = before === undefined ? '' : ' (edited)'
      return [{ at, kind: 'sent', text: `${to}${suffix}: ${inOneLine(text)}` }]
    })
  }

  /** Returns the number of messages that would have been sent, by recipient. */
  sent(): Rehearsed['sent'] {
    const chats = [...this.#sentTo].map(([to, count]) => ({ to, count, what: 'messages' }))
    const webhooks = this.endpoints.map(({ url, events: subscribed }) => {
      const types = this.#types.filter(
        (type) => subscribed.includes(EVERY_EVENT) || subscribed.includes(type)
      )
      return { to: url, count: types.length, what: `webhooks${counted(types)}` }
    })
    const all = { to: 'webhook endpoints that ask for every event', count: this.#types.length }
    const none = { ...all, what: `webhooks${counted(this.#types)}` }
    return [...chats, ...(webhooks.length > 0 ? webhooks : [none])]
  }

  /** Counts the changes requested from each provider. */
  async asked(): Promise<Rehearsed['asked']> {
    const found = new Map<string, { changes: number; refused: number }>()
    for (const { path, status } of await this.service.read().rows(CALLS, {})) {
      const provider = path.split('/')[2] ?? path
      const counts = found.get(provider) ?? { changes: 0, refused: 0 }
      const isRefused = status !== null && status >= 400 && status < 500
      counts.changes++
      if (isRefused) counts.refused++
      found.set(provider, counts)
    }
    return [...found]
      .map(([provider, counts]) => ({ provider, ...counts }))
      .sort((one, other) => compareTexts(one.provider, other.provider))
  }
}

const byTime = (one: RehearsalEntry, other: RehearsalEntry) => compareTexts(one.at, other.at)

/** Puts a message on one line, without URLs, which lead nowhere in a rehearsal. */
const inOneLine = (text: string) =>
  text
    .split('\n')
    .filter((line) => !/^https?:/.test(line))
    .join(' · ')

function counted(types: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const type of types) counts.set(type, (counts.get(type) ?? 0) + 1)
  const parts = [...counts]
    .sort(([a, m], [b, n]) => n - m || compareTexts(a, b))
    .map(([type, count]) => `${count} ${type}`)
  return parts.length === 0 ? '' : `: ${parts.join(', ')}`
}
