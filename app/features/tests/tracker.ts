import type { IssueTracking, ReleaseTime, Ticket } from '#plugin-kit/capabilities/work'
import { ProviderError, type ProviderErrorCode } from '#plugin-kit/provider_error'

/** An issue tracker in memory, with small pages; unknown keys are left out. */
export class Tracker {
  readonly tickets = new Map<string, Ticket>()
  searches: { version?: string; keys?: string[]; label?: string }[] = []
  isAway = false
  /** True if tickets are read-only; a project that is unavailable affects its own tickets alone. */
  refuses = false
  awayProject: string | null = null
  /** Keys of tickets that may not be changed. */
  readonly locked = new Set<string>()

  set(key: string, ticket: Partial<Ticket> = {}): void {
    const before = this.tickets.get(key) ?? {
      id: `1${key.replace(/\D/g, '')}`,
      key,
      title: `Ticket ${key}`,
      status: 'Open',
      done: false,
      labels: [],
      versions: [],
    }
    this.tickets.set(key, { ...before, ...ticket })
  }

  readonly #moved = new Map<string, string>()

  /** A ticket gets another key; the one it had leads to it. */
  move(from: string, to: string): void {
    const ticket = this.tickets.get(from)!
    this.tickets.delete(from)
    this.tickets.set(to, { ...ticket, key: to })
    this.#moved.set(from, to)
  }

  #askedAs(ticket: Ticket, keys: readonly string[] = []): Ticket {
    const askedAs = keys.find((key) => this.#moved.get(key) === ticket.key)
    return askedAs === undefined ? ticket : { ...ticket, askedAs }
  }

  /** Requests other than searches, in order. */
  readonly changes: string[] = []

  /** Versions that no ticket may get, as `1.2.0 of SHOP`. */
  readonly archived = new Set<string>()

  ensureVersion = async (project: string, version: string) => {
    if (this.archived.has(`${version} of ${project}`)) {
      throw new ProviderError('preconditionFailed', 'The version is archived', {
        outcome: 'notApplied',
      })
    }
    this.#take(`version ${version} of ${project}`)
    return { id: version }
  }

  setVersion = async (keys: string[], version: string) => {
    this.#take(`${version} for ${keys.join(' ')}`, keys)
    for (const key of keys) {
      this.set(key, { versions: [...this.tickets.get(key)!.versions, version] })
    }
  }

  addLabels = async (keys: string[], labels: string[]) => {
    this.#take(`${labels.join(' ')} on ${keys.join(' ')}`, keys)
    for (const key of keys) this.set(key, { labels: [...this.tickets.get(key)!.labels, ...labels] })
  }

  /** Versions that were marked as released. */
  readonly released: string[] = []

  /** Versions that somebody renamed, as `1.2.0 of SHOP`. */
  readonly renamed = new Set<string>()

  releaseVersion = async (project: string, version: string, { at, day }: ReleaseTime) => {
    if (this.renamed.has(`${version} of ${project}`)) {
      throw new ProviderError('notFound', 'The version was renamed', { outcome: 'notApplied' })
    }
    this.#take(`${version} of ${project} at ${at}, ${day}`, [], this.released)
  }

  /** Changes all tickets or none. A key in another spelling names no ticket. */
  #take(change: string, keys: readonly string[] = [], into = this.changes): void {
    const refuse = (code: ProviderErrorCode, why: string) => {
      throw new ProviderError(code, why, { outcome: 'notApplied' })
    }
    const isAway = this.isAway || keys.some((key) => key.startsWith(`${this.awayProject}-`))
    if (isAway) refuse('unavailable', 'It is away')
    if (this.refuses || keys.some((key) => this.locked.has(key))) refuse('forbidden', 'Not you')
    if (keys.some((key) => !this.tickets.has(key))) refuse('notFound', 'No such ticket')
    into.push(change)
  }

  get: IssueTracking['get'] = async (key) => {
    if (this.isAway) throw new ProviderError('unavailable', 'It is away', { outcome: 'notApplied' })
    return this.tickets.get(key) ?? null
  }

  search: IssueTracking['search'] = async ({ projects, ...filter }, cursor) => {
    if (this.isAway) throw new ProviderError('unavailable', 'It is away', { outcome: 'notApplied' })
    this.searches.push(filter)
    const { version, keys, label } = filter
    const present = keys?.map((key) => this.#moved.get(key) ?? key)
    const found = [...this.tickets.values()].filter(
      (each) =>
        (keys !== undefined || projects.includes(each.key.split('-')[0])) &&
        (version === undefined || each.versions.includes(version)) &&
        (present === undefined || present.includes(each.key)) &&
        (label === undefined || each.labels.includes(label))
    )
    const from = Number(cursor ?? 0)
    const next = from + this.pageSize
    const items = found.slice(from, next).map((each) => this.#askedAs(each, keys))
    return next < found.length ? { items, next: String(next) } : { items }
  }

  constructor(readonly pageSize = 7) {}
}
