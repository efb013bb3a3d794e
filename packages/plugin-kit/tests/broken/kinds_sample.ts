import type { ConformanceOptions } from '../../conformance/options.js'
import type { PluginContext } from '../../context.js'
import { FakeProvider } from '../../fake/fake_provider.js'
import type { CiScenario, Scenario } from '../../fake/scenario.js'
import type { CiRun } from '../../capabilities/source.js'
import type { Flag } from '../../capabilities/monitoring.js'
import { SPI_VERSION } from '../../manifest.js'
import lifecycle from '../../template/src/lifecycle.js'
import { manifest } from '../../template/src/manifest.js'
import { ProviderError } from '../../provider_error.js'

/*
 * One provider of several kinds, with an API that is close to our own words.
 */

const PAGE = 50
type Body = Record<string, never>

class Refusal extends Error {
  constructor(readonly status: number) {
    super()
  }
}

export class KindsFake extends FakeProvider {
  protected world: Required<Pick<Scenario, 'ci' | 'experimentation' | 'onCall'>> = {
    ci: { workflows: [], runs: [], artifacts: [] },
    experimentation: { flags: [] },
    onCall: { schedules: [], shifts: [] },
  }
  readonly #answered = new Map<string, object>()

  seed(scenario: Scenario): void {
    this.world = { ...this.world, ...structuredClone(scenario) }
    this.#answered.clear()
  }

  state(): Scenario {
    return this.world
  }

  protected async respond(request: Request): Promise<Response> {
    const { pathname, searchParams: query } = new URL(request.url)
    if (request.headers.get('authorization') !== 'Bearer good-token') return refusal(401)
    if (pathname === '/v1/me') {
      return Response.json({ team: 'Acme', scopes: ['channels:read', 'messages:write'] })
    }
    const key = request.headers.get('idempotency-key')
    if (key !== null && this.#answered.has(key)) return Response.json(this.#answered.get(key))
    try {
      const body = (request.method === 'GET' ? {} : await request.json()) as Body
      const answer = this.#answer(pathname.split('/').slice(2), query, body)
      if (typeof answer === 'string') return new Response(answer)
      if (key !== null) this.#answered.set(key, answer)
      return Response.json(answer)
    } catch (error) {
      if (error instanceof Refusal) return refusal(error.status)
      throw error
    }
  }

  #answer([what, id, more]: string[], query: URLSearchParams, body: Body): object | string {
    const { ci, onCall, experimentation } = this.world
    switch (`${what} ${more ?? ''}`.trim()) {
      case 'workflows':
        return paged(ci.workflows, query)
      case 'runs':
        if (id !== undefined) return found(ci.runs, (each) => each.id === id)
        return 'workflowId' in body ? this.#trigger(body) : paged(ci.runs, query)
      case 'runs cancel':
        return Object.assign(
          found(ci.runs, (each) => each.id === id),
          { state: 'canceled' }
        )
      case 'runs artifacts':
        return paged(
          ci.artifacts.filter(({ runId }) => runId === id),
          query
        )
      case 'artifacts': {
        const artifact = found(ci.artifacts, (each) => each.id === id)
        if (artifact.isExpired) throw new Refusal(410)
        return artifact.content
      }
      case 'flags':
        return id === undefined ? paged(experimentation.flags, query) : this.#flag(id, body)
      case 'schedules':
        return paged(onCall.schedules, query)
      default:
        return { items: this.#onCall(id, Number(query.get('at'))) }
    }
  }

  #trigger({ workflowId, branch, sha }: Body): CiScenario['runs'][number] {
    const { runs } = this.world.ci
    const run = { id: `${runs.length + 1}`, workflowId, branch, sha, state: 'queued' }
    runs.push(run)
    return run
  }

  #flag(key: string, change: Body): object {
    const flag = found(this.world.experimentation.flags, (each) => each.key === key)
    if (!('enabled' in change)) return flag
    if (change.etag !== undefined && change.etag !== flag.etag) throw new Refusal(412)
    return Object.assign(flag, { enabled: change.enabled, etag: `${Number(flag.etag) + 1}` })
  }

  #onCall(scheduleId: string, at: number): object[] {
    return this.world.onCall.shifts.filter(
      (shift) =>
        shift.scheduleId === scheduleId &&
        Date.parse(shift.from) <= at &&
        at < Date.parse(shift.until)
    )
  }
}

const refusal = (status: number) => Response.json({ message: 'No' }, { status })

function found<Item>(items: Item[], is: (item: Item) => boolean): Item {
  const item = items.find(is)
  if (!item) throw new Refusal(404)
  return item
}

function paged(items: object[], query: URLSearchParams): object {
  const from = Number(query.get('cursor') ?? 0)
  const next = from + PAGE < items.length ? { next: String(from + PAGE) } : {}
  return { items: items.slice(from, from + PAGE), ...next }
}

/** What all of its kinds ask with. */
export class Api {
  constructor(readonly ctx: PluginContext) {}

  async get<Answer>(path: string, query: Record<string, string | number | undefined> = {}) {
    const { status, body } = await this.ctx.http.send<Answer>({
      method: 'GET',
      path: `/v1/${path}`,
      query,
      expect: [404],
    })
    return status === 404 ? null : body
  }

  async list<Item>(path: string, cursor?: string) {
    const page = await this.get<{ items: Item[]; next?: string }>(path, { cursor })
    if (!page) throw new ProviderError('notFound', 'Not found', { outcome: 'notApplied' })
    return page
  }

  async change<Answer>(path: string, json: object, key: string) {
    const headers = { 'idempotency-key': key }
    const request = {
      method: 'POST',
      path: `/v1/${path}`,
      json,
      headers,
      idempotent: true,
    } as const
    return (await this.ctx.http.send<Answer>(request)).body
  }
}

const RUN_STATES = ['queued', 'running', 'succeeded', 'failed', 'canceled'] as const
type VendorRun = CiScenario['runs'][number]

export class KindsCi {
  protected readonly api: Api

  constructor(protected readonly ctx: PluginContext) {
    this.api = new Api(ctx)
  }

  protected runOf({ state, ...run }: VendorRun): CiRun {
    const known = RUN_STATES.find((each) => each === state)
    const observedAt = this.ctx.now().toISOString()
    return { ...run, status: { state: known ?? 'unknown', raw: state, observedAt } }
  }

  listWorkflows(_query: string, cursor?: string) {
    return this.api.list<{ id: string; name: string }>('workflows', cursor)
  }

  async getRun(id: string): Promise<CiRun | null> {
    const run = await this.api.get<VendorRun>(`runs/${id}`)
    return run && this.runOf(run)
  }

  async trigger(
    workflowId: string,
    at: { branch: string; sha?: string },
    _inputs: Record<string, string>,
    m: { idempotencyKey: string }
  ): Promise<CiRun> {
    return this.runOf(await this.api.change('runs', { workflowId, ...at }, m.idempotencyKey))
  }

  async listRuns(_filter: object, cursor?: string) {
    const { items, ...rest } = await this.api.list<VendorRun>('runs', cursor)
    return { items: items.map((each) => this.runOf(each)), ...rest }
  }

  async cancel(id: string, m: { idempotencyKey: string }): Promise<void> {
    await this.api.change(`runs/${id}/cancel`, {}, m.idempotencyKey)
  }

  async listArtifacts(runId: string) {
    const { items } = await this.api.list<CiScenario['artifacts'][number]>(
      `runs/${runId}/artifacts`
    )
    return items.map(({ id, name, content }) => ({ id, name, bytes: content.length }))
  }

  openArtifact(_runId: string, artifactId: string) {
    return this.ctx.http.download({ method: 'GET', path: `/v1/artifacts/${artifactId}` })
  }
}

export class KindsFlags {
  protected readonly api: Api

  constructor(protected readonly ctx: PluginContext) {
    this.api = new Api(ctx)
  }

  protected flagOf(flag: { key: string; name: string; enabled: boolean; etag: string }): Flag {
    return { id: flag.key, variations: [], rules: [], ...flag }
  }

  async listFlags(_environment: string, _filter: object, cursor?: string) {
    const { items, ...rest } = await this.api.list<Flag & { etag: string }>('flags', cursor)
    return { items: items.map((each) => this.flagOf(each)), ...rest }
  }

  async getFlag(_environment: string, key: string): Promise<Flag | null> {
    const flag = await this.api.get<Flag & { etag: string }>(`flags/${key}`)
    return flag && this.flagOf(flag)
  }

  async setEnabled(
    _environment: string,
    key: string,
    enabled: boolean,
    m: { idempotencyKey: string; etag?: string; comment: string }
  ): Promise<Flag> {
    const change = { enabled, etag: m.etag }
    return this.flagOf(await this.api.change(`flags/${key}`, change, m.idempotencyKey))
  }
}

export class KindsOnCall {
  protected readonly api: Api

  constructor(protected readonly ctx: PluginContext) {
    this.api = new Api(ctx)
  }

  listSchedules(_query: string, cursor?: string) {
    return this.api.list<{ id: string; name: string }>('schedules', cursor)
  }

  async whoIsOnCall(scheduleId: string, at: string) {
    const path = `oncall/${scheduleId}`
    const answer = await this.api.get<{ items: Shift[] }>(path, { at: Date.parse(at) })
    return (answer?.items ?? []).map(({ name, email, from, until }) => ({
      name,
      email,
      from,
      until,
    }))
  }
}
export interface Shift {
  name: string
  email: string
  from: string
  until: string
}

/** A plugin of three kinds, changed in one of them. */
export function kindsSample({
  ci = KindsCi,
  flags = KindsFlags,
  onCall = KindsOnCall,
  fake = KindsFake,
}: {
  ci?: new (ctx: PluginContext) => KindsCi
  flags?: new (ctx: PluginContext) => KindsFlags
  onCall?: new (ctx: PluginContext) => KindsOnCall
  fake?: new () => KindsFake
} = {}): ConformanceOptions {
  return {
    plugin: {
      manifest: {
        ...manifest,
        spi: SPI_VERSION,
        capabilities: {
          ci: { type: 'acme-ci', features: ['cancel'] },
          experimentation: { type: 'acme-flags', features: [] },
          onCall: { type: 'acme-duty', features: [] },
        },
      },
      lifecycle: async () => ({ default: lifecycle }),
      capabilities: {
        ci: async () => ({ default: ci }),
        experimentation: async () => ({ default: flags }),
        onCall: async () => ({ default: onCall }),
      },
    },
    fake: () => new fake(),
    credentials: { good: { token: 'good-token' }, bad: { token: 'bad-token' } },
    data: { ci: { workflowId: 'release' }, experimentation: {}, onCall: { scheduleId: 'S1' } },
  }
}
