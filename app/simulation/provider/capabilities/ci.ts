import type { CiArtifact, CiRun, ContinuousIntegration } from '#plugin-kit/capabilities/source'
import type { Mutation, Page, PluginContext } from '#plugin-kit/context'
import { noPage } from '../shared/world_pages.js'

const STATES = ['queued', 'running', 'succeeded', 'failed', 'canceled'] as const

/** A run in answers of a world. */
interface WorldRun {
  id: string
  number: number
  workflowId: string
  branch: string
  sha: string
  state: string
  startedAt: string | null
  finishedAt: string | null
}

interface WorldPage<Item> {
  items: Item[]
  next?: string
}

/** CI of a simulated world. */
export default class SimulatedCi implements ContinuousIntegration {
  constructor(private readonly ctx: PluginContext) {}

  listWorkflows(query: string, cursor?: string) {
    return this.#list<{ id: string; name: string }>('/v1/ci/workflows', { query, cursor })
  }

  async trigger(
    workflowId: string,
    at: { branch: string; sha?: string },
    inputs: Record<string, string>,
    { idempotencyKey }: Mutation
  ): Promise<CiRun> {
    const { body } = await this.ctx.http.send<WorldRun>({
      method: 'POST',
      path: '/v1/ci/runs',
      json: { workflowId, ...at, inputs, ...this.#app },
      headers: { 'idempotency-key': idempotencyKey },
      idempotent: true,
    })
    return this.#runOf(body)
  }

  async getRun(id: string): Promise<CiRun | null> {
    const { status, body } = await this.ctx.http.send<WorldRun>({
      method: 'GET',
      path: '/v1/ci/runs/{id}',
      params: { id },
      expect: [404],
    })
    return status === 404 ? null : this.#runOf(body)
  }

  async listRuns(
    filter: { workflowId?: string; branch?: string; since?: string },
    cursor?: string
  ): Promise<Page<CiRun>> {
    const { items, ...rest } = await this.#list<WorldRun>('/v1/ci/runs', {
      ...filter,
      ...{ app: this.ctx.app?.id, cursor },
    })
    return { items: items.map((run) => this.#runOf(run)), ...rest }
  }

  async cancel(id: string): Promise<void> {
    await this.ctx.http.send({
      method: 'POST',
      path: '/v1/ci/runs/{id}/cancel',
      params: { id },
      idempotent: true,
    })
  }

  async listArtifacts(id: string): Promise<CiArtifact[]> {
    const files: CiArtifact[] = []
    for (let cursor: string | undefined; ;) {
      const { body } = await this.ctx.http.send<WorldPage<CiArtifact>>({
        method: 'GET',
        path: '/v1/ci/runs/{id}/artifacts',
        params: { id },
        query: { cursor },
      })
      if (!Array.isArray(body?.items)) throw noPage()
      files.push(
        ...body.items.map(({ id: file, name, bytes, contentType }) => ({
          id: file,
          name,
          bytes,
          contentType,
        }))
      )
      if (body.next === undefined) return files
      cursor = body.next
    }
  }

  openArtifact(runId: string, artifactId: string): Promise<ReadableStream<Uint8Array>> {
    return this.ctx.http.download({
      method: 'GET',
      path: '/v1/ci/runs/{runId}/artifacts/{artifactId}',
      params: { runId, artifactId },
    })
  }

  async #list<Item>(path: string, query: Record<string, string | undefined>) {
    const { body } = await this.ctx.http.send<WorldPage<Item>>({ method: 'GET', path, query })
    if (!Array.isArray(body?.items)) throw noPage()
    return body
  }

  /** The app of the runs, and the repository whose commits they build. */
  get #app() {
    const { app } = this.ctx
    return app && { app: app.id, ...(app.repository !== null && { repository: app.repository }) }
  }

  #runOf({ number, state, startedAt, finishedAt, ...run }: WorldRun): CiRun {
    return {
      id: run.id,
      workflowId: run.workflowId,
      branch: run.branch,
      sha: run.sha,
      number: String(number),
      status: {
        state: STATES.find((each) => each === state) ?? 'unknown',
        raw: state,
        beganAt: this.ctx.now().toISOString(),
        observedAt: this.ctx.now().toISOString(),
        lagSeconds: 0,
      },
      ...(startedAt === null ? {} : { startedAt }),
      ...(finishedAt === null ? {} : { finishedAt }),
    }
  }
}
