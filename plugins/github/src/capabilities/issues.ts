import {
  type IssueTracking,
  type Page,
  type PluginContext,
  type Ref,
  type ReleaseTime,
  type Ticket,
  type TicketFilter,
  unless,
} from '@tarmac/plugin-kit'
import { refused } from '../errors.js'
import { allPages, GitHub, isMoved, isNotFound, PAGE } from '../github.js'

/** An issue in GitHub's answers. */
interface Issue {
  id: number
  number: number
  title: string
  state: string
  state_reason?: string | null
  html_url: string
  labels: (string | { name?: string })[]
  assignee?: { login: string } | null
  milestone?: { title: string } | null
  /** Present if it is a pull request, since GitHub lists them among the issues. */
  pull_request?: unknown
}

const OPEN = 'Open'

/** Statuses of closed issues by their reasons; without a reason, an issue counts as completed. */
const CLOSED: Readonly<Record<string, string>> = {
  completed: 'Completed',
  not_planned: 'Not planned',
  duplicate: 'Duplicate',
}

const KEY = /^(?:([A-Za-z0-9-]+\/[A-Za-z0-9._-]+))?#([0-9]{1,10})$/

/** Issues of repositories. A version is a milestone, so an issue has at most one. */
export default class GitHubIssues implements IssueTracking {
  constructor(private readonly ctx: PluginContext) {}

  async search(filter: TicketFilter, cursor = '0:1'): Promise<Page<Ticket>> {
    const { projects, keys } = filter
    if (keys) return { items: await this.#byKeys(keys, projects) }
    const [index, page] = cursor.split(':').map(Number)
    const project = projects[index]
    if (project === undefined) return { items: [] }
    const { issues, hasMore } = await this.#list(project, filter, page)
    const next = hasMore ? `${index}:${page + 1}` : `${index + 1}:1`
    const isLastPage = !hasMore && index + 1 >= projects.length
    return {
      items: issues.filter(isIssue).map((each) => ticketOf(project, each)),
      ...(isLastPage ? {} : { next }),
    }
  }

  async #byKeys(keys: readonly string[], projects: readonly string[]): Promise<Ticket[]> {
    const found: Ticket[] = []
    for (const key of keys) {
      const ticket = await this.#find(key, projects)
      if (ticket) found.push(ticket.key === key ? ticket : { ...ticket, askedAs: key })
    }
    return found
  }

  async #list(project: string, { version, label }: TicketFilter, page: number) {
    const milestone = version === undefined ? null : await this.#milestone(project, version)
    if (version !== undefined && milestone === null) return { issues: [], hasMore: false }
    const { data } = await this.#github(project).request('GET /repos/{owner}/{repo}/issues', {
      state: 'all',
      sort: 'created',
      direction: 'asc',
      ...(milestone === null ? {} : { milestone: String(milestone.number) }),
      ...(label === undefined ? {} : { labels: label }),
      per_page: PAGE,
      page,
    })
    return { issues: data as Issue[], hasMore: data.length === PAGE }
  }

  get(key: string): Promise<Ticket | null> {
    return this.#find(key, this.#projects)
  }

  async listStatuses(): Promise<{ name: string; done: boolean }[]> {
    const closed = Object.values(CLOSED).map((name) => ({ name, done: true }))
    return [{ name: OPEN, done: false }, ...closed]
  }

  async ensureVersion(project: string, version: string): Promise<Ref> {
    const known = await this.#milestone(project, version)
    if (known) return { id: String(known.number), url: known.html_url }
    const created = await unless(
      this.#github(project).request('POST /repos/{owner}/{repo}/milestones', { title: version }),
      ({ detail }) => detail.status === 422 && /already_exists/.test(detail.reason ?? '')
    )
    const milestone = created?.data ?? (await this.#requireMilestone(project, version))
    return { id: String(milestone.number), url: milestone.html_url }
  }

  async setVersion(keys: string[], version: string): Promise<void> {
    const milestones = new Map<string, number>()
    for (const key of keys) {
      const { project, github, number } = this.#parse(key)
      const milestone =
        milestones.get(project) ?? (await this.#requireMilestone(project, version)).number
      milestones.set(project, milestone)
      await github.request('PATCH /repos/{owner}/{repo}/issues/{issue_number}', {
        issue_number: number,
        milestone,
      })
    }
  }

  async addLabels(keys: string[], labels: string[]): Promise<void> {
    for (const key of keys) {
      const { github, number } = this.#parse(key)
      await github.request('POST /repos/{owner}/{repo}/issues/{issue_number}/labels', {
        issue_number: number,
        labels,
      })
    }
  }

  /**
   * Closes a milestone, and sets its due date to the time of the release. A closed milestone keeps
   * its date.
   */
  async releaseVersion(project: string, version: string, { at }: ReleaseTime): Promise<void> {
    const { number, state } = await this.#requireMilestone(project, version)
    if (state === 'closed') return
    await this.#github(project).request(
      'PATCH /repos/{owner}/{repo}/milestones/{milestone_number}',
      { milestone_number: number, state: 'closed', due_on: at }
    )
  }

  get #projects(): readonly string[] {
    const { projects } = this.ctx.data
    return Array.isArray(projects) ? (projects as string[]) : []
  }

  #github(project: string): GitHub {
    return new GitHub(this.ctx, project)
  }

  /**
   * Parses a key such as `acme/app#12`, or `#12` if there is only one project.
   * @throws ProviderError `invalid`
   */
  #parse(key: string, projects = this.#projects) {
    const [, repository, number] = KEY.exec(key) ?? []
    const project = repository ?? (projects.length === 1 ? projects[0] : undefined)
    if (number === undefined || project === undefined) {
      throw refused('invalid', `"${key.slice(0, 80)}" is not an issue key`, 'key')
    }
    return { project, github: this.#github(project), number: Number(number) }
  }

  async #find(key: string, projects: readonly string[]): Promise<Ticket | null> {
    const match = KEY.exec(key)
    // A number alone is ambiguous if there are several repositories.
    if (!match || (match[1] === undefined && projects.length !== 1)) return null
    const { project, github, number } = this.#parse(key, projects)
    let hasMoved = false
    const found = await unless(
      github.request('GET /repos/{owner}/{repo}/issues/{issue_number}', { issue_number: number }),
      (error) => (hasMoved = isMoved(error)) || isNotFound(error)
    )
    // A transferred issue is answered like a renamed repository, which this read tells apart.
    if (hasMoved) await github.request('GET /repos/{owner}/{repo}/milestones', { per_page: 1 })
    const issue = found?.data as Issue | undefined
    return issue && isIssue(issue) ? ticketOf(project, issue) : null
  }

  async #milestone(project: string, title: string) {
    const github = this.#github(project)
    const milestones = allPages(async (page) => {
      const query = { state: 'all' as const, ...page }
      return (await github.request('GET /repos/{owner}/{repo}/milestones', query)).data
    })
    for await (const each of milestones) if (each.title === title) return each
    return null
  }

  async #requireMilestone(project: string, title: string) {
    const found = await this.#milestone(project, title)
    if (found) return found
    throw refused('notFound', `${project} has no milestone "${title}"`, 'version')
  }
}

const isIssue = (issue: Issue) => issue.pull_request === undefined

function ticketOf(project: string, issue: Issue): Ticket {
  const { id, number, title, state, state_reason: reason, html_url: url, assignee } = issue
  const status = state === 'open' ? OPEN : (CLOSED[reason ?? 'completed'] ?? reason ?? state)
  return {
    id: String(id),
    url,
    key: `${project}#${number}`,
    title,
    status,
    done: state === 'closed',
    ...(assignee ? { assignee: assignee.login } : {}),
    labels: issue.labels.flatMap((each) => (typeof each === 'string' ? each : (each.name ?? []))),
    versions: issue.milestone ? [issue.milestone.title] : [],
  }
}
