import type { IssueTrackingScenario } from '@tarmac/plugin-kit/testing'
import { ofField, Refusal, type FakeRequest } from './answers.js'
import { readJql } from './jql.js'

type Scenario = IssueTrackingScenario
type Ticket = Scenario['tickets'][number]

interface Project {
  id: number
  key: string
  /** Former keys of the project. */
  former: string[]
  versions: Version[]
}

interface Version {
  id: number
  name: string
  archived: boolean
  released: boolean
  releaseDate: string | null
}

interface Issue extends Omit<Ticket, 'key' | 'project' | 'versions'> {
  id: number
  key: string
  /** Former keys, if it was moved. */
  former: string[]
  projectId: number
  versions: number[]
}

const SITE = 'https://acme.atlassian.net'
const API = `${SITE}/rest/api/3`
/** The largest page of issues with fields. */
const MAX_PAGE = 100

const noIssue = () =>
  new Refusal(404, ['Issue does not exist or you do not have permission to see it.'])
const noProject = (key: string) =>
  new Refusal(404, [`No project could be found with key '${key}'.`])

/** Projects, issues and versions of a site. */
export class FakeProjects {
  /** Keys of projects that are hidden from the account. */
  readonly hidden = new Set<string>()
  /** Required custom fields, with names by id, which no issue has set. */
  readonly required = new Map<string, string>()
  /** Fields that are missing on the edit screen. */
  readonly offScreen = new Set<string>()
  readonly #projects: Project[] = []
  readonly #issues: Issue[] = []
  readonly #statuses: Scenario['statuses']
  /** The last id of the versions of seeded issues. */
  readonly #seeded: number
  #ids = 10_000

  constructor(scenario: Scenario = { statuses: [], tickets: [], versions: [] }) {
    const { tickets, versions, statuses } = scenario
    this.#statuses = statuses
    const keys = ['APP', ...tickets.map(({ project }) => project)]
    for (const key of new Set([...keys, ...versions.map(({ project }) => project)])) {
      this.#projects.push({ id: this.#next(), key, former: [], versions: [] })
    }
    for (const { key, project: projectKey, versions: names, ...rest } of tickets) {
      const project = this.project(projectKey)
      const ids = names.map(
        (name) => (this.#findVersion(project, name) ?? this.#add(project, name)).id
      )
      this.#issues.push({
        ...{ ...rest, id: this.#next(), key, former: [], projectId: project.id, versions: ids },
      })
    }
    this.#seeded = this.#ids
    for (const { project, name, releasedAt } of versions) {
      const version = this.#add(this.project(project), name)
      Object.assign(version, { released: releasedAt !== null, releaseDate: releasedAt })
    }
  }

  state(): Scenario {
    const keyOf = (id: number) => this.#projects.find((each) => each.id === id)!.key
    return {
      statuses: this.#statuses,
      tickets: this.#issues.map(
        ({ key, projectId, title, status, labels, versions, assignee }) => ({
          ...{ key, project: keyOf(projectId), title, status, labels },
          versions: versions.map((id) => this.#version(id).name),
          ...(assignee ? { assignee } : {}),
        })
      ),
      versions: this.#projects.flatMap(({ key, versions }) =>
        versions
          .filter(({ id }) => id > this.#seeded)
          .map(({ id, name, releaseDate }) => ({
            ...{ id: String(id), project: key, name, releasedAt: releaseDate },
          }))
      ),
    }
  }

  /** Finds a project by its current key or a former one. @throws Refusal */
  project(key: string): Project {
    const requested = key.toUpperCase()
    const found = this.#projects.find((each) => [each.key, ...each.former].includes(requested))
    if (!found || this.hidden.has(found.key)) throw noProject(key)
    return found
  }

  /** Changes the key of a project and its issues. */
  rename(from: string, to: string): void {
    const project = this.project(from)
    project.former.push(project.key)
    project.key = to
    for (const issue of this.#issues) {
      if (issue.projectId === project.id) this.#rekey(issue, `${to}-${numberOf(issue)}`)
    }
  }

  /** Moves an issue to another project, where it gets the next number. */
  move(key: string, to: string): void {
    const issue = this.#issue(key)
    const { id } = this.project(to)
    const numbers = this.#issues.filter(({ projectId }) => projectId === id).map(numberOf)
    issue.projectId = id
    this.#rekey(issue, `${to}-${Math.max(0, ...numbers) + 1}`)
  }

  #rekey(issue: Issue, key: string): void {
    issue.former.push(issue.key)
    issue.key = key
  }

  /** Changes a version as a person does under Releases. */
  changeVersion(project: string, name: string, change: Partial<Version>): void {
    Object.assign(this.#findVersion(this.project(project), name)!, change)
  }

  search({ query }: FakeRequest): unknown {
    const { projects, version, label } = readJql(query.get('jql') ?? '')
    const projectIds = projects.map((key) => this.#searchedProject(key))
    const ids = version === null ? null : this.#searchedVersions(version)
    const found = this.#issues
      .filter(({ projectId, labels, versions }) => {
        const isMatch = projectIds.includes(projectId) && (label === null || labels.includes(label))
        return isMatch && (ids === null || versions.some((id) => ids.includes(id)))
      })
      .sort((one, other) => numberOf(one) - numberOf(other))
    const fields = query.get('fields')?.split(',') ?? ['id']
    const size = Math.min(MAX_PAGE, Number(query.get('maxResults') ?? 50))
    const from = this.#offsetIn(query)
    const isLast = from + size >= found.length
    return {
      issues: found.slice(from, from + size).map((each) => this.#issueJson(each, fields)),
      isLast,
      ...(isLast ? {} : { nextPageToken: tokenFor(query, from + size) }),
    }
  }

  /** A page token is valid only for the search that it came from. */
  #offsetIn(query: URLSearchParams): number {
    const token = query.get('nextPageToken')
    if (token === null) return 0
    const from = Number(Buffer.from(token, 'base64url').toString().split(' ', 1)[0])
    if (Number.isNaN(from) || token !== tokenFor(query, from)) {
      throw new Refusal(400, ['The provided next page token is invalid or expired.'])
    }
    return from
  }

  #searchedProject(key: string): number {
    try {
      return this.project(key).id
    } catch {
      throw new Refusal(400, [`The value '${key}' does not exist for the field 'project'.`])
    }
  }

  #searchedVersions(name: string): number[] {
    const visible = this.#projects.filter(({ key }) => !this.hidden.has(key))
    const found = visible.flatMap((project) => this.#findVersion(project, name)?.id ?? [])
    if (found.length > 0) return found
    throw new Refusal(400, [`The value '${name}' does not exist for the field 'fixVersion'.`])
  }

  fetch({ body }: FakeRequest): unknown {
    const keys = body.issueIdsOrKeys as string[]
    if (keys.length > MAX_PAGE) throw new Refusal(400, ['You can fetch up to 100 issues.'])
    const fields = (body.fields as string[] | undefined) ?? ['summary', 'status']
    const requested = keys.map((key) => key.toUpperCase())
    const found = this.#issues.filter(
      (each) =>
        [each.key, ...each.former].some((key) => requested.includes(key.toUpperCase())) &&
        this.#isVisible(each)
    )
    return { issues: found.map((each) => this.#issueJson(each, fields)), issueErrors: [] }
  }

  issue({ params: [key], query }: FakeRequest): unknown {
    return this.#issueJson(this.#issue(key), query.get('fields')?.split(',') ?? ['summary'])
  }

  #isVisible({ projectId }: Issue): boolean {
    return !this.hidden.has(this.#projects.find(({ id }) => id === projectId)!.key)
  }

  #issue(key: string): Issue {
    const requested = key.toUpperCase()
    const found = this.#issues.find((each) =>
      [each.key, ...each.former].some((own) => own.toUpperCase() === requested)
    )
    if (!found || !this.#isVisible(found)) throw noIssue()
    return found
  }

  edit({ params: [key], body }: FakeRequest, permissions: readonly string[]): Response {
    const issue = this.#issue(key)
    if (!permissions.includes('EDIT_ISSUES')) {
      throw new Refusal(403, ['You do not have permission to edit issues in this project.'])
    }
    for (const [field, name] of this.required) throw ofField(field, `${name} is required.`)
    const update = body.update as Record<string, { add?: unknown }[]>
    const changes = Object.entries(update).map(([field, operations]) => {
      const isLocked = field === 'fixVersions' && !permissions.includes('RESOLVE_ISSUES')
      if (isLocked || this.offScreen.has(field) || !['labels', 'fixVersions'].includes(field)) {
        const text = `Field '${field}' cannot be set. It is not on the appropriate screen, or unknown.`
        throw ofField(field, text)
      }
      return operations.map(({ add }) => this.#addition(issue, field, add))
    })
    // An edit is applied completely or not at all.
    for (const change of changes.flat()) change()
    return new Response(null, { status: 204 })
  }

  #addition(issue: Issue, field: string, add: unknown): () => void {
    if (field === 'labels') {
      const label = String(add)
      if (/\s/.test(label)) {
        throw ofField('labels', `The label '${label}' contains spaces which is invalid.`)
      }
      return () => (issue.labels = [...new Set([...issue.labels, label])])
    }
    const { name } = add as { name: string }
    const project = this.#projects.find(({ id }) => id === issue.projectId)!
    const version = this.#findVersion(project, name)
    if (!version) throw ofField('fixVersions', `Version name '${name}' is not valid`)
    if (version.archived) throw ofField('fixVersions', `Version '${name}' is archived.`)
    return () => (issue.versions = [...new Set([...issue.versions, version.id])])
  }

  shownProject({ params: [key] }: FakeRequest): unknown {
    const { id, key: current } = this.project(key)
    const self = `${API}/project/${id}`
    return { id: String(id), key: current, name: current, self, style: 'classic' }
  }

  statuses({ params: [key] }: FakeRequest): unknown {
    this.project(key)
    const statuses = this.#statuses.map(({ name }) => this.#status(name))
    return ['Story', 'Bug'].map((name, index) => ({
      id: String(index + 1),
      name,
      self: `${API}/issuetype/${index + 1}`,
      subtask: false,
      statuses,
    }))
  }

  versions({ params: [key], query }: FakeRequest): unknown {
    const requested = query.get('query')?.toLowerCase() ?? ''
    const project = this.project(key)
    const found = project.versions.filter(({ name }) => name.toLowerCase().includes(requested))
    const startAt = Number(query.get('startAt') ?? 0)
    const maxResults = Math.min(50, Number(query.get('maxResults') ?? 50))
    return {
      self: `${API}/project/${key}/version`,
      ...{ startAt, maxResults, total: found.length },
      isLast: startAt + maxResults >= found.length,
      values: found
        .slice(startAt, startAt + maxResults)
        .map((each) => this.#versionJson(each, project)),
    }
  }

  createVersion({ body }: FakeRequest, permissions: readonly string[]): Response {
    requireAdministrator(permissions)
    const project = this.#projects.find(({ id }) => id === body.projectId)
    if (!project) throw new Refusal(404, ['The project was not found.'])
    const name = String(body.name)
    if (this.#findVersion(project, name)) {
      throw ofField('name', 'A version with this name already exists in this project.')
    }
    const version = this.#versionJson(this.#add(project, name), project)
    return Response.json(version, { status: 201 })
  }

  updateVersion({ params: [id], body }: FakeRequest, permissions: readonly string[]): unknown {
    requireAdministrator(permissions)
    const project = this.#projects.find(({ versions }) =>
      versions.some((each) => String(each.id) === id)
    )
    if (!project) throw new Refusal(404, [`Could not find version for id '${id}'.`])
    const version = this.#version(Number(id))
    Object.assign(version, body)
    return this.#versionJson(version, project)
  }

  #add(project: Project, name: string): Version {
    const version = {
      ...{ id: this.#next(), name, archived: false, released: false, releaseDate: null },
    }
    project.versions.push(version)
    return version
  }

  #findVersion({ versions }: Project, name: string): Version | undefined {
    return versions.find((each) => each.name.toLowerCase() === name.toLowerCase())
  }

  #version(id: number): Version {
    return this.#projects.flatMap(({ versions }) => versions).find((each) => each.id === id)!
  }

  #next(): number {
    return (this.#ids += 1)
  }

  #status(name: string) {
    const isOver = this.#statuses.some((each) => each.name === name && each.done)
    const [key, category] = isOver ? ['done', 'Done'] : ['indeterminate', 'In Progress']
    return {
      name,
      id: String(1 + this.#statuses.findIndex((each) => each.name === name)),
      self: `${API}/status/1`,
      statusCategory: { id: isOver ? 3 : 4, key, name: category, self: `${API}/statuscategory/3` },
    }
  }

  #issueJson({ id, key, ...issue }: Issue, fieldNames: readonly string[]): unknown {
    const project = this.#projects.find((each) => each.id === issue.projectId)!
    const all: Readonly<Record<string, unknown>> = {
      summary: issue.title,
      status: this.#status(issue.status),
      assignee: issue.assignee ? { accountId: '5b10', displayName: issue.assignee } : null,
      labels: issue.labels,
      fixVersions: issue.versions.map((each) => this.#versionJson(this.#version(each), project)),
    }
    // Without requested fields, only the id is returned.
    if (fieldNames.join() === 'id') return { id: String(id) }
    const fields = Object.fromEntries(
      fieldNames.flatMap((name) => (name in all ? [[name, all[name]]] : []))
    )
    return { id: String(id), key, self: `${API}/issue/${id}`, fields }
  }

  #versionJson({ id, releaseDate, ...version }: Version, project: Project) {
    const dated = releaseDate === null ? {} : { releaseDate }
    const self = `${API}/version/${id}`
    return { id: String(id), self, ...version, ...dated, projectId: project.id }
  }
}

const numberOf = ({ key }: Issue) => Number(key.slice(key.lastIndexOf('-') + 1))

const tokenFor = (query: URLSearchParams, from: number) =>
  Buffer.from(`${from} ${query.get('jql')}`).toString('base64url')

function requireAdministrator(permissions: readonly string[]): void {
  if (permissions.includes('ADMINISTER_PROJECTS')) return
  throw new Refusal(403, [
    'You must have global or project administrator rights in order to modify versions.',
  ])
}
