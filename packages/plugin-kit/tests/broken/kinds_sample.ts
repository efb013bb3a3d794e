import type { ConformanceOptions } from '../../conformance/options.js'
import type { PluginContext } from '../../context.js'
import type { CiScenario, Scenario } from '../../fake/scenario.js'
import type { CiRun } from '../../capabilities/source.js'
import type { Flag } from '../../capabilities/monitoring.js'
import {
  Api,
  found,
  optionsOf,
  paged,
  Refusal,
  WorldFake,
  type FakeRequest,
  type Body,
} from './kinds_base.js'

type World = Required<Pick<Scenario, 'ci' | 'experimentation' | 'onCall'>>

/** A provider of CI, feature flags and on-call duty. */
export class KindsFake extends WorldFake<World> {
  protected world: World = {
    ci: { workflows: [], runs: [], artifacts: [] },
    experimentation: { flags: [] },
    onCall: { schedules: [], shifts: [] },
  }

  protected answerTo({ what, id, more, query, body }: FakeRequest): object | string {
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
        return { items: this.#onCall(id!, Number(query.get('at'))) }
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
    const seenAt = { beganAt: observedAt, observedAt, lagSeconds: 0 }
    return { ...run, status: { state: known ?? 'unknown', raw: state, ...seenAt } }
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
    const result = await this.api.get<{ items: Shift[] }>(path, { at: Date.parse(at) })
    return (result?.items ?? []).map(({ name, email, from, until }) => ({
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

/** Returns a plugin of three kinds, one of which is changed. */
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
  const capabilities = {
    ci: async () => ({ default: ci }),
    experimentation: async () => ({ default: flags }),
    onCall: async () => ({ default: onCall }),
  }
  const data = { ci: { workflowId: 'release' }, experimentation: {}, onCall: { scheduleId: 'S1' } }
  return optionsOf(() => new fake(), capabilities, { ci: ['cancel'] }, data)
}
