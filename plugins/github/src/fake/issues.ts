import type { IssueTrackingScenario } from '@tarmac/plugin-kit/testing'
import { invalid, notFound, pageOf, type Asked } from './answers.js'

const API = 'https://api.github.com'
const SITE = 'https://github.com'

type Scenario = IssueTrackingScenario
type Ticket = Scenario['tickets'][number]

interface Issue extends Ticket {
  number: number
  body: string
}

interface Milestone {
  number: number
  title: string
  state: 'open' | 'closed'
  dueOn: string | null
}

/** The mark of a request, which GitHub does not show. */
const MARK = /\n\n<!-- [^>]* -->$/

const REASONS: Readonly<Record<string, string>> = {
  'Completed': 'completed',
  'Not planned': 'not_planned',
}

/** Issues and milestones of one repository; those of others stay as they are. */
export class FakeIssues {
  readonly #issues: Issue[]
  readonly #others: Ticket[]
  readonly #milestones: Milestone[]
  readonly #comments: { id: number; number: number; body: string; at: string }[] = []
  readonly #statuses: Scenario['statuses']
  /** Milestones that there were because issues had them. */
  readonly #seeded: number

  constructor(
    private readonly repository: string,
    private readonly now: () => string,
    scenario: Scenario = { statuses: [], tickets: [], comments: [], versions: [] }
  ) {
    const isOwn = ({ project }: Ticket) => project === repository
    this.#others = scenario.tickets.filter((each) => !isOwn(each))
    this.#issues = scenario.tickets.filter(isOwn).map((each) => ({
      ...each,
      number: Number(/#(\d+)$/.exec(each.key)?.[1]),
      body: '',
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
      comments: this.#comments.map(({ number, body }) => ({
        key: `${this.repository}#${number}`,
        body: body.replace(MARK, ''),
      })),
      versions: this.#milestones.slice(this.#seeded).map(({ number, title, dueOn }) => ({
        ...{ id: String(number), project: this.repository, name: title, releasedAt: dueOn },
      })),
    }
  }

  list(asked: Asked): Response {
    const { query } = asked
    const wanted = query.get('milestone')
    const milestone = this.#milestones.find(({ number }) => String(number) === wanted)
    const found = this.#issues.filter(
      ({ versions }) => wanted === null || versions.includes(milestone?.title ?? '')
    )
    const inOrder = query.get('direction') === 'asc' ? found : found.toReversed()
    const { items, headers } = pageOf(asked, inOrder)
    return Response.json(
      items.map((each) => this.#shown(each)),
      { headers }
    )
  }

  search(asked: Asked): unknown {
    const words = (asked.query.get('q') ?? '').split(' ').filter((each) => !each.includes(':'))
    const found = this.#issues.filter(({ title }) =>
      words.every((word) => title.toLowerCase().includes(word.toLowerCase()))
    )
    const { items } = pageOf(asked, found)
    return {
      total_count: found.length,
      incomplete_results: false,
      items: items.map((each) => this.#shown(each)),
    }
  }

  #found(number: string): Issue {
    const found = this.#issues.find((each) => each.number === Number(number))
    if (!found) throw notFound()
    return found
  }

  issue({ params: [number] }: Asked): unknown {
    return this.#shown(this.#found(number))
  }

  create({ body }: Asked): Response {
    const { title, body: text, labels } = body as { title: string; body: string; labels: string[] }
    const number = 1 + Math.max(0, ...this.#issues.map((each) => each.number))
    const made: Issue = {
      key: `${this.repository}#${number}`,
      project: this.repository,
      title,
      status: 'Open',
      labels,
      versions: [],
      number,
      body: text,
    }
    this.#issues.push(made)
    return Response.json(this.#shown(made), { status: 201 })
  }

  update({ params: [number], body }: Asked): unknown {
    const issue = this.#found(number)
    const milestone = this.#milestones.find((each) => each.number === body.milestone)
    if (!milestone) throw invalid('Validation Failed', { field: 'milestone', code: 'invalid' })
    issue.versions = [milestone.title]
    return this.#shown(issue)
  }

  addLabels({ params: [number], body }: Asked): unknown {
    const issue = this.#found(number)
    issue.labels = [...new Set([...issue.labels, ...(body.labels as string[])])]
    return issue.labels.map((name, index) => ({ id: index + 1, name, default: false }))
  }

  comments(asked: Asked): unknown {
    const { number } = this.#found(asked.params[0])
    const since = asked.query.get('since') ?? ''
    const found = this.#comments.filter((each) => each.number === number && each.at >= since)
    return pageOf(asked, found).items.map((each) => this.#shownComment(each))
  }

  comment({ params: [number], body }: Asked): Response {
    const issue = this.#found(number)
    const id = this.#comments.length + 1
    const made = { id, number: issue.number, body: String(body.body), at: this.now() }
    this.#comments.push(made)
    return Response.json(this.#shownComment(made), { status: 201 })
  }

  #shownComment({
    id,
    number,
    body,
    at,
  }: {
    id: number
    number: number
    body: string
    at: string
  }) {
    const url = `${SITE}/${this.repository}/issues/${number}#issuecomment-${id}`
    return { id, body, html_url: url, created_at: at, updated_at: at }
  }

  milestones(asked: Asked): unknown {
    return pageOf(asked, this.#milestones).items.map((each) => this.#shownMilestone(each))
  }

  createMilestone({ body }: Asked): Response {
    const title = String(body.title)
    if (this.#milestones.some((each) => each.title === title)) {
      throw invalid('Validation Failed', {
        resource: 'Milestone',
        code: 'already_exists',
        field: 'title',
      })
    }
    const made: Milestone = {
      ...{ number: this.#milestones.length + 1, title, state: 'open', dueOn: null },
    }
    this.#milestones.push(made)
    return Response.json(this.#shownMilestone(made), { status: 201 })
  }

  updateMilestone({ params: [number], body }: Asked): unknown {
    const found = this.#milestones.find((each) => each.number === Number(number))
    if (!found) throw notFound()
    Object.assign(found, { state: body.state, dueOn: body.due_on })
    return this.#shownMilestone(found)
  }

  #shownMilestone({ number, title, state, dueOn }: Milestone) {
    return {
      number,
      title,
      state,
      due_on: dueOn,
      html_url: `${SITE}/${this.repository}/milestone/${number}`,
      url: `${API}/repos/${this.repository}/milestones/${number}`,
    }
  }

  #shown(issue: Issue) {
    const { number, title, body, status, labels, versions, assignee } = issue
    const milestone = this.#milestones.find((each) => each.title === versions[0])
    return {
      id: number,
      number,
      title,
      body,
      state: status === 'Open' ? 'open' : 'closed',
      state_reason: status === 'Open' ? null : (REASONS[status] ?? null),
      html_url: `${SITE}/${this.repository}/issues/${number}`,
      url: `${API}/repos/${this.repository}/issues/${number}`,
      labels: labels.map((name, index) => ({ id: index + 1, name })),
      assignee: assignee ? { login: assignee, id: 1 } : null,
      milestone: milestone ? this.#shownMilestone(milestone) : null,
    }
  }
}
