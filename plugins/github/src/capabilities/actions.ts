import {
  type CiArtifact,
  type CiRun,
  type ContinuousIntegration,
  type Mutation,
  type Page,
  type PluginContext,
  unless,
} from '@tarmac/plugin-kit'
import { filesOf, openFile, type Archive } from '../artifacts.js'
import { refused } from '../errors.js'
import { requireName, GitHub, isNotFound, nowOf, PAGE } from '../github.js'

/** A run in GitHub's answers. */
interface Run {
  id: number
  run_number: number
  workflow_id: number
  path: string
  head_branch: string | null
  head_sha: string
  status: string | null
  conclusion: string | null
  html_url: string
  created_at: string
  run_started_at?: string
  updated_at: string
  pull_requests: { base: { ref: string } }[] | null
}

type State = CiRun['status']['state']

const UNDER_WAY: Readonly<Record<string, State>> = {
  queued: 'queued',
  requested: 'queued',
  waiting: 'queued',
  pending: 'queued',
  in_progress: 'running',
}

const OVER: Readonly<Record<string, State>> = {
  success: 'succeeded',
  neutral: 'succeeded',
  failure: 'failed',
  timed_out: 'failed',
  startup_failure: 'failed',
  action_required: 'failed',
  stale: 'failed',
  cancelled: 'canceled',
  skipped: 'canceled',
}

/**
 * Runs of at least this long before a request are searched for the one it may have started, in
 * milliseconds.
 */
const LOOK_BACK_MS = 120_000

/** A dispatch whose run is not known yet. */
interface Pending {
  workflowId: string
  branch: string
  /** RFC 3339. */
  since: string
}

/** Workflows of GitHub Actions. */
export default class GitHubActions implements ContinuousIntegration {
  readonly #github: GitHub

  constructor(protected readonly context: PluginContext) {
    const own = context.data['x-repository']
    const repository = typeof own === 'string' ? own : (context.app?.repository ?? null)
    this.#github = new GitHub(context, repository)
  }

  async listWorkflows(query: string, cursor?: string): Promise<Page<{ id: string; name: string }>> {
    const page = Number(cursor ?? 1)
    const { data } = await this.#github.request('GET /repos/{owner}/{repo}/actions/workflows', {
      per_page: PAGE,
      page,
    })
    const wanted = query.toLowerCase()
    const items = data.workflows
      .map(({ path, name }) => ({ id: fileOf(path), name }))
      .filter(({ name }) => name.toLowerCase().includes(wanted))
    return { items, ...nextOf(page, data.total_count) }
  }

  async trigger(
    workflowId: string,
    { branch }: { branch: string; sha?: string },
    inputs: Record<string, string>,
    { askedAt }: Mutation
  ): Promise<CiRun | { pendingToken: string }> {
    requireName(branch)
    const now = this.context.now().getTime()
    const asked = askedAt === undefined ? now : Date.parse(askedAt)
    const since = new Date(Math.min(asked, now - LOOK_BACK_MS)).toISOString()
    // GitHub has no idempotency keys, so a run that was dispatched since the request counts as its
    // run.
    const before = await this.#dispatched({ workflowId, branch, since })
    if (before) return before
    const { data, status } = await this.#github.request(
      'POST /repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches',
      { workflow_id: workflowId, ref: branch, inputs, return_run_details: true } as never
    )
    const { workflow_run_id: id } = (data ?? {}) as { workflow_run_id?: number }
    if (status === 200 && id !== undefined) {
      const run = await this.getRun(String(id))
      if (run) return run
    }
    // An older Enterprise Server does not return the run.
    const pending: Pending = { workflowId, branch, since: new Date(now - 5000).toISOString() }
    return { pendingToken: JSON.stringify(pending) }
  }

  resolvePending(token: string): Promise<CiRun | null> {
    return this.#dispatched(JSON.parse(token) as Pending)
  }

  async getRun(id: string): Promise<CiRun | null> {
    const beganAt = nowOf(this.context)
    const found = await unless(
      this.#github.request('GET /repos/{owner}/{repo}/actions/runs/{run_id}', {
        run_id: numberOf(id),
      }),
      isNotFound
    )
    return found ? this.#runOf(found.data as Run, beganAt) : null
  }

  async listRuns(
    { workflowId, branch, since }: { workflowId?: string; branch?: string; since?: string },
    cursor?: string
  ): Promise<Page<CiRun>> {
    const page = Number(cursor ?? 1)
    const filter = {
      ...(branch === undefined ? {} : { branch }),
      ...(since === undefined ? {} : { created: `>=${since}` }),
      per_page: PAGE,
      page,
    }
    const beganAt = nowOf(this.context)
    const { total, runs } = await this.#runs(workflowId, filter)
    return { items: runs.map((each) => this.#runOf(each, beganAt)), ...nextOf(page, total) }
  }

  async cancel(id: string): Promise<void> {
    await unless(
      this.#github.request('POST /repos/{owner}/{repo}/actions/runs/{run_id}/cancel', {
        run_id: numberOf(id),
      }),
      // 409 means that the run is over.
      ({ detail }) => detail.status === 409
    )
  }

  async listArtifacts(runId: string): Promise<CiArtifact[]> {
    const files: CiArtifact[] = []
    for (let page = 1, total = 1; (page - 1) * PAGE < total; page++) {
      const { data } = await this.#github.request(
        'GET /repos/{owner}/{repo}/actions/runs/{run_id}/artifacts',
        { run_id: numberOf(runId), per_page: PAGE, page }
      )
      total = data.total_count
      for (const artifact of data.artifacts) {
        if (!artifact.expired) files.push(...(await filesOf(this.context, archiveOf(artifact))))
      }
    }
    return files
  }

  async openArtifact(_runId: string, artifactId: string): Promise<ReadableStream<Uint8Array>> {
    const [, id = '', name] = /^([0-9]+)(?:\/(.+))?$/s.exec(artifactId) ?? []
    const found = await unless(
      this.#github.request('GET /repos/{owner}/{repo}/actions/artifacts/{artifact_id}', {
        artifact_id: numberOf(id),
      }),
      isNotFound
    )
    if (!found || found.data.expired) {
      throw refused('notFound', 'The artifact has expired, or is not there', 'expired')
    }
    const archive = archiveOf(found.data)
    if (name !== undefined) return openFile(this.context, archive, name)
    return this.context.http.download({ method: 'GET', path: archive.url })
  }

  async #dispatched({ workflowId, branch, since }: Pending): Promise<CiRun | null> {
    const beganAt = nowOf(this.context)
    const { runs } = await this.#runs(workflowId, {
      branch,
      event: 'workflow_dispatch',
      created: `>=${since}`,
      per_page: 10,
      page: 1,
    })
    const oldest = runs.at(-1)
    return oldest ? this.#runOf(oldest, beganAt) : null
  }

  async #runs(
    workflowId: string | undefined,
    filter: { branch?: string; event?: string; created?: string; per_page: number; page: number }
  ): Promise<{ total: number; runs: Run[] }> {
    const { data } = workflowId
      ? await this.#github.request(
          'GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs',
          { ...filter, workflow_id: workflowId }
        )
      : await this.#github.request('GET /repos/{owner}/{repo}/actions/runs', filter)
    return { total: data.total_count, runs: data.workflow_runs as Run[] }
  }

  #runOf(run: Run, beganAt: string): CiRun {
    const isOver = run.status === 'completed'
    const raw = (isOver ? run.conclusion : run.status) ?? ''
    const state = (isOver ? OVER : UNDER_WAY)[raw] ?? 'unknown'
    const base = run.pull_requests?.[0]?.base.ref
    return {
      id: String(run.id),
      url: run.html_url,
      workflowId: this.#workflowOf(run),
      branch: run.head_branch ?? '',
      ...(base === undefined ? {} : { baseBranch: base }),
      sha: run.head_sha,
      status: { state, raw, beganAt, observedAt: nowOf(this.context), lagSeconds: 0 },
      number: String(run.run_number),
      startedAt: run.run_started_at ?? run.created_at,
      ...(isOver ? { finishedAt: run.updated_at } : {}),
    }
  }

  /**
   * Returns the id of a workflow in the form that the integration uses: its file, or its number.
   */
  #workflowOf({ path, workflow_id: id }: Run): string {
    const { workflowId, devWorkflowId } = this.context.data
    const byNumber = [workflowId, devWorkflowId].includes(String(id))
    return byNumber ? String(id) : fileOf(path)
  }
}

/** `.github/workflows/release.yml@main` is `release.yml`. */
const fileOf = (path: string) => path.replace(/^.*\//, '').replace(/@.*$/, '')

const nextOf = (page: number, total: number) =>
  page * PAGE < total ? { next: String(page + 1) } : {}

function numberOf(id: string): number {
  if (/^[0-9]{1,15}$/.test(id)) return Number(id)
  throw refused('notFound', `"${id.slice(0, 40)}" is no id of GitHub`, 'id')
}

const archiveOf = (artifact: {
  id: number
  archive_download_url: string
  expires_at: string | null
}): Archive => ({
  id: artifact.id,
  url: artifact.archive_download_url,
  expiresAt: artifact.expires_at,
})
