import {
  refused,
  unless,
  type IssueTracking,
  type Page,
  type PluginContext,
  type Ref,
  type Ticket,
  type TicketFilter,
} from '@tarmac/plugin-kit'
import { isNotFound, Jira, siteOf } from '../jira.js'

/** Issues that Jira answers at once where it is asked for their fields. */
const PAGE = 100
/** Versions of a project that a name is looked for in at once. */
const VERSIONS = 50

/** Fields of an issue that a ticket has; Jira answers none that it is not asked for. */
const FIELDS = ['summary', 'status', 'assignee', 'labels', 'fixVersions']

const KEY = /^[A-Za-z][A-Za-z0-9_]*-[1-9][0-9]{0,9}$/

/** The category of statuses that end an issue. */
const DONE = 'done'

interface Status {
  name: string
  statusCategory?: { key?: string }
}

/** An issue, with the fields that were asked for. */
interface Issue {
  id: string
  key: string
  fields: {
    summary?: string | null
    status?: Status | null
    assignee?: { displayName?: string } | null
    labels?: string[] | null
    fixVersions?: { name: string }[] | null
  }
}

interface Version {
  id: string
  name: string
  archived?: boolean
}

/** Issues of projects; the versions of a ticket are its fix versions. */
export default class JiraIssues implements IssueTracking {
  readonly #jira: Jira

  constructor(private readonly ctx: PluginContext) {
    this.#jira = new Jira(ctx)
  }

  async search(filter: TicketFilter, cursor?: string): Promise<Page<Ticket>> {
    if (filter.keys) return { items: await this.#byKeys(filter.keys) }
    const found = await unless(
      this.#jira.send<{ issues: Issue[]; nextPageToken?: string }>({
        method: 'GET',
        path: '/search/jql',
        query: {
          jql: jqlOf(filter),
          fields: FIELDS.join(','),
          maxResults: PAGE,
          nextPageToken: cursor,
        },
      }),
      ({ detail }) => detail.status === 400 && filter.version !== undefined
    )
    if (found === null) return this.#withoutVersion(filter, cursor)
    const { issues, nextPageToken: next } = found.body
    return { items: issues.map((each) => this.#ticketOf(each)), ...(next ? { next } : {}) }
  }

  /** Jira refuses to look for a version that none of the projects has. */
  async #withoutVersion(filter: TicketFilter, cursor?: string): Promise<Page<Ticket>> {
    const { projects, version, ...rest } = filter
    const holding: string[] = []
    for (const project of projects) {
      if (await this.#version(project, version!)) holding.push(project)
    }
    if (holding.length === 0) return { items: [] }
    if (holding.length < projects.length) {
      return this.search({ ...rest, projects: holding, version }, cursor)
    }
    throw refused('invalid', {
      message: `Jira does not look for the version "${version}", which it has.`,
      reason: 'version',
    })
  }

  async #byKeys(keys: readonly string[]): Promise<Ticket[]> {
    const asked = keys.filter((key) => KEY.test(key))
    const found: Ticket[] = []
    for (let from = 0; from < asked.length; from += PAGE) {
      found.push(...(await this.#fetched(asked.slice(from, from + PAGE))))
    }
    return found
  }

  /** One request for all; those that have other keys by now are asked for alone, to tell which. */
  async #fetched(asked: readonly string[]): Promise<Ticket[]> {
    const { body } = await this.#jira.send<{ issues?: Issue[] }>({
      method: 'POST',
      path: '/issue/bulkfetch',
      json: { issueIdsOrKeys: asked, fields: FIELDS },
      // It reads.
      idempotent: true,
    })
    const issues = body.issues ?? []
    const spelt = new Map(asked.map((key) => [key.toUpperCase(), key]))
    const direct = issues.filter(({ key }) => spelt.has(key.toUpperCase()))
    const tickets = direct.map((each) => this.#ticketOf(each))
    if (direct.length === issues.length) return tickets
    const have = new Set(direct.map(({ key }) => key.toUpperCase()))
    for (const [key, as] of spelt) {
      const moved = have.has(key) ? null : await this.get(as)
      if (moved) tickets.push(moved)
    }
    return tickets
  }

  async get(key: string): Promise<Ticket | null> {
    if (!KEY.test(key)) return null
    const found = await unless(
      this.#jira.send<Issue>({
        method: 'GET',
        path: '/issue/{key}',
        params: { key },
        query: { fields: FIELDS.join(',') },
      }),
      isNotFound
    )
    if (!found) return null
    const ticket = this.#ticketOf(found.body)
    const isMoved = ticket.key.toUpperCase() !== key.toUpperCase()
    return isMoved ? { ...ticket, askedAs: key } : ticket
  }

  /** Each type of issue has statuses of its own: one is done where all of its name are. */
  async listStatuses(project: string): Promise<{ name: string; done: boolean }[]> {
    const { body } = await this.#jira.send<{ statuses: Status[] }[]>({
      method: 'GET',
      path: '/project/{project}/statuses',
      params: { project },
    })
    const done = new Map<string, boolean>()
    for (const status of body.flatMap(({ statuses }) => statuses)) {
      done.set(status.name, isDone(status) && (done.get(status.name) ?? true))
    }
    return [...done].map(([name, isOver]) => ({ name, done: isOver }))
  }

  async ensureVersion(project: string, version: string): Promise<Ref> {
    const found = (await this.#version(project, version)) ?? (await this.#made(project, version))
    if (found.archived) {
      throw refused('preconditionFailed', {
        message: `The version "${version}" of ${project} is archived: no issue gets it.`,
        reason: 'archived',
        action: 'Somebody with "Administer Projects" unarchives it under Releases in Jira.',
      })
    }
    return { id: found.id, url: `https://${siteOf(this.ctx)}/browse/fixforversion/${found.id}` }
  }

  async #made(project: string, name: string): Promise<Version> {
    const { body } = await this.#jira.send<{ id: string }>({
      method: 'GET',
      path: '/project/{project}',
      params: { project },
    })
    try {
      const made = await this.#jira.send<Version>({
        method: 'POST',
        path: '/version',
        json: { name, projectId: Number(body.id) },
      })
      return made.body
    } catch (error) {
      // Somebody else may have made it in between; a refusal without one stays what it is.
      const known = await this.#version(project, name)
      if (known) return known
      throw error
    }
  }

  async setVersion(keys: string[], version: string): Promise<void> {
    for (const key of keys) await this.#edit(key, { fixVersions: [{ add: { name: version } }] })
  }

  async addLabels(keys: string[], labels: string[]): Promise<void> {
    for (const key of keys) await this.#edit(key, { labels: labels.map((add) => ({ add })) })
  }

  async releaseVersion(project: string, version: string, at: string): Promise<void> {
    const found = await this.#version(project, version)
    if (!found) {
      throw refused('notFound', {
        message: `${project} has no version "${version}": it was renamed or deleted.`,
        reason: 'version',
        action:
          'Whoever did so gives it the name again, or marks it as released under Releases in Jira.',
      })
    }
    await this.#jira.send({
      method: 'PUT',
      path: '/version/{id}',
      params: { id: found.id },
      json: { released: true, releaseDate: at.slice(0, 10) },
      idempotent: true,
    })
  }

  /** What is there already stays as it is. */
  async #edit(key: string, update: Readonly<Record<string, unknown>>): Promise<void> {
    if (!KEY.test(key)) {
      throw refused('invalid', { message: `"${key.slice(0, 80)}" is no key of an issue` })
    }
    await this.#jira.send({
      method: 'PUT',
      path: '/issue/{key}',
      params: { key },
      json: { update },
      idempotent: true,
    })
  }

  /** The version of a name: in a project there is one at most, in whatever case. */
  async #version(project: string, name: string): Promise<Version | null> {
    for (let startAt = 0; ; startAt += VERSIONS) {
      const { body } = await this.#jira.send<{ values: Version[]; isLast?: boolean }>({
        method: 'GET',
        path: '/project/{project}/version',
        params: { project },
        query: { query: name, startAt, maxResults: VERSIONS },
      })
      const found = body.values.find((each) => each.name.toLowerCase() === name.toLowerCase())
      if (found) return found
      if (body.isLast !== false || body.values.length === 0) return null
    }
  }

  #ticketOf({ id, key, fields }: Issue): Ticket {
    const { summary, status, assignee, labels, fixVersions } = fields
    return {
      id,
      key,
      url: `https://${siteOf(this.ctx)}/browse/${key}`,
      title: summary ?? '',
      status: status?.name ?? '',
      done: status ? isDone(status) : false,
      ...(assignee?.displayName ? { assignee: assignee.displayName } : {}),
      labels: labels ?? [],
      versions: (fixVersions ?? []).map(({ name }) => name),
    }
  }
}

const isDone = ({ statusCategory }: Status) => statusCategory?.key === DONE

/** A search that names its projects, without which Jira takes none. */
function jqlOf({ projects, version, label }: TicketFilter): string {
  const terms = [
    `project in (${projects.map(quoted).join(', ')})`,
    ...(version === undefined ? [] : [`fixVersion = ${quoted(version)}`]),
    ...(label === undefined ? [] : [`labels = ${quoted(label)}`]),
  ]
  return `${terms.join(' AND ')} ORDER BY key ASC`
}

/** A text of JQL. */
const quoted = (text: string) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`
