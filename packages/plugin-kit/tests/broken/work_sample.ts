import type { ConformanceOptions } from '../../conformance/options.js'
import type { Mutation, PluginContext } from '../../context.js'
import type {
  IssueTrackingScenario,
  LocalizationScenario,
  Scenario,
  TestManagementScenario,
} from '../../fake/scenario.js'
import type {
  IssueTracking,
  ReleaseTime,
  TestManagement,
  TestRun,
  Ticket,
  TicketFilter,
} from '../../capabilities/work.js'
import type { Localization } from '../../capabilities/stores.js'
import {
  Api,
  found,
  optionsOf,
  paged,
  WorldFake,
  type FakeRequest,
  type Body,
} from './kinds_base.js'

type World = Required<Pick<Scenario, 'issueTracking' | 'testManagement' | 'localization'>>
type VendorTicket = IssueTrackingScenario['tickets'][number] & { done: boolean }

/** A provider of tickets, test runs and translations. */
export class WorkFake extends WorldFake<World> {
  protected world: World = {
    issueTracking: { statuses: [], tickets: [], versions: [] },
    testManagement: { runs: [], results: [] },
    localization: { locales: [] },
  }

  protected answerTo(requested: FakeRequest): object | string {
    const { what, id, more, query, body, isChange } = requested
    switch (`${isChange ? 'change ' : ''}${what} ${more ?? ''}`.trim()) {
      case 'tickets':
        if (id !== undefined) return this.#shown(this.#ticket(id))
        return paged(this.#search(query), query)
      case 'change tickets versions':
        this.#ticket(id!).versions = body.versions
        return {}
      case 'statuses':
        return { items: this.world.issueTracking.statuses }
      case 'change tickets labels':
        this.#ticket(id!).labels = [...new Set([...this.#ticket(id!).labels, ...body.labels])]
        return {}
      case 'versions':
        return paged(
          this.world.issueTracking.versions.filter(
            ({ project }) => project === query.get('project')
          ),
          query
        )
      case 'change versions':
        return this.#version(id, body)
      default:
        return this.#ofOtherKinds(requested)
    }
  }

  #ofOtherKinds({ what, id, more, query, isChange }: FakeRequest): object | string {
    const { testManagement: tests, localization } = this.world
    switch (`${isChange ? 'change ' : ''}${what} ${more ?? ''}`.trim()) {
      case 'testruns':
        if (id !== undefined) return this.#run(id)
        return paged(
          tests.runs.filter(({ name }) => namedFor(name, query)).map((run) => this.#run(run.id)),
          query
        )
      case 'testruns results': {
        const { id: runId } = this.#run(id!)
        return paged(
          tests.results.filter((result) => result.runId === runId),
          query
        )
      }
      default:
        return { items: localization.locales }
    }
  }

  #shown(ticket: IssueTrackingScenario['tickets'][number]): VendorTicket {
    const { done } = found(this.world.issueTracking.statuses, ({ name }) => name === ticket.status)
    return { ...ticket, done }
  }

  #ticket(key: string) {
    return found(this.world.issueTracking.tickets, (each) => each.key === key)
  }

  #search(query: URLSearchParams): VendorTicket[] {
    const projects = query.get('projects')?.split(',') ?? []
    const keys = query.get('keys')?.split(',')
    const version = query.get('version')
    const label = query.get('label')
    return this.world.issueTracking.tickets
      .filter(
        (ticket) =>
          projects.includes(ticket.project) &&
          (version === null || ticket.versions.includes(version)) &&
          (label === null || ticket.labels.includes(label)) &&
          (keys === undefined || keys.includes(ticket.key))
      )
      .map((ticket) => this.#shown(ticket))
  }

  #version(id: string | undefined, body: Body): object {
    const { versions } = this.world.issueTracking
    if (id !== undefined)
      return Object.assign(
        found(versions, (each) => each.id === id),
        body
      )
    const version = { id: `V${versions.length + 1}`, ...body, releasedAt: null } as never
    versions.push(version)
    return version
  }

  #run(id: string): TestManagementScenario['runs'][number] & { tests: object[] } {
    const { runs, results } = this.world.testManagement
    const run = found(runs, (each) => each.id === id)
    return { ...run, tests: results.filter(({ runId }) => runId === id) }
  }
}

const namedFor = (name: string, query: URLSearchParams) =>
  (query.get('keywords') ?? '')
    .split(' ')
    .every((word) => name.toLowerCase().includes(word.toLowerCase())) &&
  name.split(' ').some((word) => word.replace(/[,.]$/, '') === query.get('version'))

export class WorkTickets implements Required<IssueTracking> {
  protected readonly api: Api

  constructor(protected readonly ctx: PluginContext) {
    this.api = new Api(ctx)
  }

  protected ticketOf({
    key,
    title,
    status,
    done,
    labels,
    versions,
    assignee,
  }: VendorTicket): Ticket {
    return { id: key, key, title, status, done, labels, versions, assignee: assignee ?? undefined }
  }

  async search({ projects, keys, version, label }: TicketFilter, cursor?: string) {
    const query = { projects: projects.join(','), keys: keys?.join(','), version, label }
    const { items, ...rest } = await this.api.list<VendorTicket>('tickets', cursor, query)
    return { items: items.map((each) => this.ticketOf(each)), ...rest }
  }

  async get(key: string): Promise<Ticket | null> {
    const ticket = await this.api.get<VendorTicket>(`tickets/${key}`)
    return ticket && this.ticketOf(ticket)
  }

  async listStatuses(_project: string) {
    return (await this.api.list<{ name: string; done: boolean }>('statuses')).items
  }

  async ensureVersion(project: string, version: string, m: Mutation) {
    return (await this.#version(project, version)) ?? this.makeVersion(project, version, m)
  }

  makeVersion(project: string, name: string, { idempotencyKey }: Mutation) {
    return this.api.change<{ id: string }>('versions', { project, name }, idempotencyKey)
  }

  async setVersion(keys: string[], version: string, m: Mutation) {
    for (const key of keys) {
      const ticket = await this.get(key)
      await this.replaceVersions([key], [...(ticket?.versions ?? []), version], m)
    }
  }

  async replaceVersions(keys: string[], versions: string[], { idempotencyKey }: Mutation) {
    for (const key of keys) {
      await this.api.change(`tickets/${key}/versions`, { versions }, `${idempotencyKey} ${key}`)
    }
  }

  async addLabels(keys: string[], labels: string[], { idempotencyKey }: Mutation) {
    for (const key of keys) {
      await this.api.change(`tickets/${key}/labels`, { labels }, `${idempotencyKey} ${key}`)
    }
  }

  async releaseVersion(project: string, version: string, { at }: ReleaseTime, m: Mutation) {
    const there = await this.#version(project, version)
    await this.api.change(`versions/${there?.id}`, { releasedAt: at }, m.idempotencyKey)
  }

  async #version(project: string, version: string) {
    const { items } = await this.api.list<{ id: string; name: string }>('versions', undefined, {
      project,
    })
    return items.find(({ name }) => name === version)
  }
}

type VendorRun = TestManagementScenario['runs'][number] & { tests: { status: string }[] }
const COUNTED = ['passed', 'failed', 'blocked', 'untested', 'skipped'] as const

export class WorkTests implements TestManagement {
  protected readonly api: Api

  constructor(protected readonly ctx: PluginContext) {
    this.api = new Api(ctx)
  }

  protected runOf({ id, name, closed, tests }: VendorRun): TestRun {
    const counts = { passed: 0, failed: 0, blocked: 0, untested: 0, skipped: 0 }
    for (const { status } of tests) {
      counts[COUNTED.find((each) => each === status) ?? 'untested'] += 1
    }
    return { id, name, closed, counts }
  }

  async findRuns(keywords: string[], version: string, cursor?: string) {
    const query = { keywords: keywords.join(' '), version }
    const { items, ...rest } = await this.api.list<VendorRun>('testruns', cursor, query)
    return { items: items.map((each) => this.runOf(each)), ...rest }
  }

  async getRun(id: string): Promise<TestRun | null> {
    const run = await this.api.get<VendorRun>(`testruns/${id}`)
    return run && this.runOf(run)
  }

  async listResults(runId: string, cursor?: string) {
    const path = `testruns/${runId}/results`
    const { items, ...rest } = await this.api.list<TestManagementScenario['results'][number]>(
      path,
      cursor
    )
    const shown = items.map(({ id, title, status, assignee }) => ({
      id,
      title,
      status,
      assignee: assignee ?? undefined,
    }))
    return { items: shown, ...rest }
  }
}

export class WorkTexts implements Required<Localization> {
  protected readonly api: Api

  constructor(protected readonly ctx: PluginContext) {
    this.api = new Api(ctx)
  }

  async listLocales() {
    return (await this.api.list<LocalizationScenario['locales'][number]>('locales')).items
  }
}

/** Returns a plugin of three kinds, one of which is changed. */
export function workSample({
  tickets = WorkTickets,
  tests = WorkTests,
  texts = WorkTexts,
}: {
  tickets?: new (ctx: PluginContext) => WorkTickets
  tests?: new (ctx: PluginContext) => WorkTests
  texts?: new (ctx: PluginContext) => WorkTexts
} = {}): ConformanceOptions {
  return optionsOf(
    () => new WorkFake(),
    {
      issueTracking: async () => ({ default: tickets }),
      testManagement: async () => ({ default: tests }),
      localization: async () => ({ default: texts }),
    },
    {
      issueTracking: ['ensureVersion', 'setVersion', 'addLabels', 'releaseVersion'],
    },
    {
      issueTracking: { projects: ['APP'] },
      testManagement: { project: 'App', testRunNameKeywords: 'Regression iOS' },
      localization: { projectId: 'acme' },
    }
  )
}
