import type { IssueTrackingScenario } from '@tarmac/plugin-kit/testing'
import { invalid, notFound, pageOf, Refusal, type FakeRequest } from './answers.js'

const API = 'https://api.github.com'
const SITE = 'https://github.com'

type Scenario = IssueTrackingScenario
type Ticket = Scenario['tickets'][number]

interface Issue extends Ticket {
  number: number
}

interface Milestone {
  number: number
  title: string
  state: 'open' | 'closed'
  dueOn: string | null
}

const REASONS: Readonly<Record<string, string>> = {
  'Completed': 'completed',
  'Not planned': 'not_planned',
}

/** Issues and milestones of one repository. Issues of other repositories are only stored. */
export class FakeIssues {
  readonly #issues: Issue[]
  readonly #others: Ticket[]
  readonly #milestones: Milestone[]
  readonly #statuses: Scenario['statuses']
  /** The number of milestones of seeded issues. */
  readonly #seeded: number
  /** Numbers of issues that moved to another repository. */
  readonly transferred = new Set<number>()

  constructor(
    private readonly repository: string,
    scenario: Scenario = { statuses: [], tickets: [], versions: [] }
  ) {
    const isOwn = ({ project }: Ticket) => project === repository
    this.#others = scenario.tickets.filter((each) => !isOwn(each))
    this.#issues = scenario.tickets.filter(isOwn).map((each) => ({
      ...each,
      number: Number(/#(\d+)$/.exec(each.key)?.[1]),
    }))
    const titles = new Set(this.#issues.flatMap(({ versions }) => versions))
    this.#milestones = [...titles].map((title, index) => ({
      ...{ number: index + 1, title, state: 'open', dueOn: null },
    }))
    this.#seeded = this.#milestones.length
    this.#statuses = scenario.statuses
  }

  state(): Scenario {
    const tickets = this.#issues.map(
      ({ key, project, title, status, labels, versions, assignee }) => ({
        ...{ key, project, title, status, labels, versions },
        ...(assignee ? { assignee } : {}),
      })
    )
    return {
      statuses: this.#statuses,
      tickets: [...tickets, ...this.#others],
      versions: this.#milestones.slice(this.#seeded).map(({ number, title, dueOn }) => ({
        ...{ id: String(number), project: this.repository, name: title, releasedAt: dueOn },
      })),
    }
  }

  list(request: FakeRequest): Response {
    const { query } = request
    const number = query.get('milestone')
    const milestone = this.#milestones.find((each) => String(each.number) === number)
    const labels = query.get('labels')?.split(',') ?? []
    const found = this.#issues.filter(
      (each) =>
        (number === null || each.versions.includes(milestone?.title ?? '')) &&
        labels.every((label) => each.labels.includes(label))
    )
    const inOrder = query.get('direction') === 'asc' ? found : found.toReversed()
    const { items, headers } = pageOf(request, inOrder)
    return Response.json(
      items.map((each) => this.#issueJson(each)),
      { headers }
    )
  }

  #require(number: string): Issue {
    const found = this.#issues.find((each) => each.number === Number(number))
    if (!found) throw notFound()
    return found
  }

  issue({ params: [number] }: FakeRequest): unknown {
    if (this.transferred.has(Number(number))) throw new Refusal(301, 'Moved Permanently')
    return this.#issueJson(this.#require(number))
  }

  update({ params: [number], body }: FakeRequest): unknown {
    const issue = this.#require(number)
    const milestone = this.#milestones.find((each) => each.number === body.milestone)
    if (!milestone) throw invalid('Validation Failed', { field: 'milestone', code: 'invalid' })
    issue.versions = [milestone.title]
    return this.#issueJson(issue)
  }

  addLabels({ params: [number], body }: FakeRequest): unknown {
    const issue = this.#require(number)
    issue.labels = [...new Set([...issue.labels, ...(body.labels as string[])])]
    return issue.labels.map((name, index) => ({ id: index + 1, name, default: false }))
  }

  milestones(request: FakeRequest): unknown {
    return pageOf(request, this.#milestones).items.map((each) => this.#milestoneJson(each))
  }

  createMilestone({ body }: FakeRequest): Response {
    const title = String(body.title)
    if (this.#milestones.some((each) => each.title === title)) {
      throw invalid('Validation Failed', {
        resource: 'Milestone',
        code: 'already_exists',
        field: 'title',
      })
    }
    const created: Milestone = {
      ...{ number: this.#milestones.length + 1, title, state: 'open', dueOn: null },
    }
    this.#milestones.push(created)
    return Response.json(this.#milestoneJson(created), { status: 201 })
  }

  updateMilestone({ params: [number], body }: FakeRequest): unknown {
    const found = this.#milestones.find((each) => each.number === Number(number))
    if (!found) throw notFound()
    Object.assign(found, { state: body.state, dueOn: body.due_on })
    return this.#milestoneJson(found)
  }

  #milestoneJson({ number, title, state, dueOn }: Milestone) {
    return {
      number,
      title,
      state,
      due_on: dueOn,
      html_url: `${SITE}/${this.repository}/milestone/${number}`,
      url: `${API}/repos/${this.repository}/milestones/${number}`,
    }
  }

  #issueJson(issue: Issue) {
    const { number, title, status, labels, versions, assignee } = issue
    const milestone = this.#milestones.find((each) => each.title === versions[0])
    return {
      id: number,
      number,
      title,
      state: status === 'Open' ? 'open' : 'closed',
      state_reason: status === 'Open' ? null : (REASONS[status] ?? null),
      html_url: `${SITE}/${this.repository}/issues/${number}`,
      url: `${API}/repos/${this.repository}/issues/${number}`,
      labels: labels.map((name, index) => ({ id: index + 1, name })),
      assignee: assignee ? { login: assignee, id: 1 } : null,
      milestone: milestone ? this.#milestoneJson(milestone) : null,
    }
  }
}
