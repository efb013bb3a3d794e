import {
  isProviderError,
  refused,
  unless,
  type IssueTracking,
  type Page,
  type PluginContext,
  type Ref,
  type ReleaseTime,
  type Ticket,
  type TicketFilter,
} from '@tarmac/plugin-kit'
import { isNotFound, Jira, siteOf } from '../jira.js'

/** The largest page of issues with fields. */
const PAGE = 100
/** Page size of a search for a version. */
const VERSIONS_PAGE = 50
const MAX_PAGES = 20

/** The fields of an issue that a ticket needs; Jira returns only requested ones. */
const FIELDS = ['summary', 'status', 'assignee', 'labels', 'fixVersions']

const KEY = /^[A-Za-z][A-Za-z0-9_]*-[1-9][0-9]{0,9}$/

/** The category of statuses that count as done. */
const DONE = 'done'

interface Status {
  name: string
  statusCategory?: { key?: string }
}

/** An issue with the requested fields. */
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
  released?: boolean
}

/** Issues of projects; the versions of a ticket are its fix versions. */
export default class JiraIssues implements IssueTracking {
  readonly #jira: Jira

  constructor(private readonly ctx: PluginContext) {
    this.#jira = new Jira(ctx)
  }

  async search(filter: TicketFilter, cursor?: string): Promise<Page<Ticket>> {
    if (filter.keys) return { items: await this.#byKeys(filter.keys) }
    try {
      const { body } = await this.#jira.send<{ issues: Issue[]; nextPageToken?: string | null }>({
        method: 'GET',
        path: '/search/jql',
        query: {
          jql: jqlOf(filter),
          fields: FIELDS.join(','),
          maxResults: PAGE,
          nextPageToken: cursor,
        },
      })
      const { issues, nextPageToken: next } = body
      return { items: issues.map((each) => this.#ticketOf(each)), ...(next ? { next } : {}) }
    } catch (error) {
      // Jira refuses a search for a version that no project has, with a localized message.
      const isRefused = isProviderError(error) && error.detail.status === 400
      if (isRefused && !(await this.#hasVersion(filter))) return { items: [] }
      throw error
    }
  }

  /** Returns whether one of the projects has the version; true if the filter has none. */
  async #hasVersion({ projects, version }: TicketFilter): Promise<boolean> {
    if (version === undefined) return true
    for (const project of projects) if (await this.#version(project, version)) return true
    return false
  }

  async #byKeys(keys: readonly string[]): Promise<Ticket[]> {
    const requested = keys.filter((key) => KEY.test(key))
    const found: Ticket[] = []
    for (let from = 0; from < requested.length; from += PAGE) {
      found.push(...(await this.#fetch(requested.slice(from, from + PAGE))))
    }
    return found
  }

  /**
   * Finds all keys with one request. Jira does not say by which key it found an issue, so keys
   * without a match are requested one by one: their issues may have been moved.
   */
  async #fetch(requested: readonly string[]): Promise<Ticket[]> {
    const { body } = await this.#jira.send<{ issues?: Issue[] }>({
      method: 'POST',
      path: '/issue/bulkfetch',
      json: { issueIdsOrKeys: requested, fields: FIELDS },
      // This POST is read-only.
      idempotent: true,
    })
    const byKey = new Map((body.issues ?? []).map((each) => [each.key.toUpperCase(), each]))
    const tickets: Ticket[] = []
    for (const key of requested) {
      const issue = byKey.get(key.toUpperCase())
      const ticket = issue ? this.#ticketOf(issue) : await this.get(key)
      if (ticket) tickets.push(ticket)
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

  /**
   * Each issue type has its own statuses. A name counts as done if all its statuses do.
   */
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
    const found = (await this.#version(project, version)) ?? (await this.#create(project, version))
    if (found.archived) {
      throw refused('preconditionFailed', {
        message: `The version "${version}" of ${project} is archived, so it cannot be added to issues.`,
        reason: 'archived',
        action: 'Somebody with "Administer Projects" unarchives it under Releases in Jira.',
      })
    }
    return { id: found.id, url: `https://${siteOf(this.ctx)}/browse/fixforversion/${found.id}` }
  }

  async #create(project: string, name: string): Promise<Version> {
    const { body } = await this.#jira.send<{ id: string }>({
      method: 'GET',
      path: '/project/{project}',
      params: { project },
    })
    try {
      const created = await this.#jira.send<Version>({
        method: 'POST',
        path: '/version',
        json: { name, projectId: Number(body.id) },
      })
      return created.body
    } catch (error) {
      // Somebody else may have created it in the meantime.
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

  /** A released version keeps its date. */
  async releaseVersion(project: string, version: string, { day }: ReleaseTime): Promise<void> {
    const found = await this.#version(project, version)
    if (!found) {
      throw refused('notFound', {
        message: `${project} has no version "${version}": it was renamed or deleted.`,
        reason: 'version',
        action: 'Restore its name, or mark it as released under Releases in Jira.',
      })
    }
    if (found.released) return
    await this.#jira.send({
      method: 'PUT',
      path: '/version/{id}',
      params: { id: found.id },
      json: { released: true, releaseDate: day },
      idempotent: true,
    })
  }

  async #edit(key: string, update: Readonly<Record<string, unknown>>): Promise<void> {
    if (!KEY.test(key)) {
      throw refused('invalid', { message: `"${key.slice(0, 80)}" is not an issue key` })
    }
    await this.#jira.send({
      method: 'PUT',
      path: '/issue/{key}',
      params: { key },
      json: { update },
      idempotent: true,
    })
  }

  /**
   * Finds a version by name, which is unique in a project regardless of case.
   * @throws ProviderError `preconditionFailed` if too many other versions contain the name
   */
  async #version(project: string, name: string): Promise<Version | null> {
    for (let pages = 0; pages < MAX_PAGES; pages++) {
      const { body } = await this.#jira.send<{ values: Version[]; isLast?: boolean }>({
        method: 'GET',
        path: '/project/{project}/version',
        params: { project },
        query: { query: name, startAt: pages * VERSIONS_PAGE, maxResults: VERSIONS_PAGE },
      })
      const found = body.values.find((each) => each.name.toLowerCase() === name.toLowerCase())
      if (found) return found
      if (body.isLast !== false || body.values.length === 0) return null
    }
    throw refused('preconditionFailed', {
      message: `${project} has more than ${MAX_PAGES * VERSIONS_PAGE} versions with "${name}" in their names, and none of the first ones is "${name}".`,
      reason: 'versions',
      action: 'Somebody with "Administer Projects" deletes or merges some under Releases in Jira.',
    })
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

/**
 * Builds a JQL search. It names the projects, because Jira refuses searches without a restriction.
 */
function jqlOf({ projects, version, label }: TicketFilter): string {
  const terms = [
    `project in (${projects.map(quoted).join(', ')})`,
    ...(version === undefined ? [] : [`fixVersion = ${quoted(version)}`]),
    ...(label === undefined ? [] : [`labels = ${quoted(label)}`]),
  ]
  return `${terms.join(' AND ')} ORDER BY key ASC`
}

/** Quotes a text for JQL. */
const quoted = (text: string) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`
