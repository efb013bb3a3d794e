import {
  type CiArtifact,
  type CiRun,
  type ContinuousIntegration,
  type IsTaken,
  type Page,
  type PluginContext,
  ProviderError,
  type RunRequest,
  unless,
} from '@tarmac/plugin-kit'
import { filesOf, openFile, type Artifact } from '../artifacts.js'
import { refused } from '../errors.js'
import { requireName, GitHub, isNotFound, nowOf, PAGE, reads } from '../github.js'

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
  actor?: { login: string } | null
}

type RunInputs = Record<string, string>

type State = CiRun['status']['state']

const ACTIVE_STATES: Readonly<Record<string, State>> = {
  queued: 'queued',
  requested: 'queued',
  waiting: 'queued',
  pending: 'queued',
  in_progress: 'running',
}

const FINISHED_STATES: Readonly<Record<string, State>> = {
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

/** Tolerance when comparing the two clocks: GitHub's times are whole seconds. */
const CLOCK_TOLERANCE_MS = 3000

/** GitHub lists at most 1000 runs for a filter. */
const MAX_PAGES = 10

/** A dispatch whose run is still unknown. */
interface Dispatch {
  workflowId: string
  branch: string
  /** The time of the request by the local clock, RFC 3339. */
  since: string
}

/** An accepted dispatch whose run is unknown, or known only by its id. */
type Pending = Dispatch | { runId: string }

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
    inputs: RunInputs,
    { inDoubtSince, isTaken }: RunRequest
  ): Promise<CiRun | { pendingToken: string }> {
    requireName(branch)
    if (inDoubtSince !== undefined) {
      const before = await this.#runInDoubt({ workflowId, branch, since: inDoubtSince }, isTaken)
      if (before) return before
    }
    const since = nowOf(this.context)
    const { data, status } = await this.#dispatch({ workflow_id: workflowId, ref: branch, inputs })
    const { workflow_run_id: id } = (data ?? {}) as { workflow_run_id?: number }
    if (status !== 200 || id === undefined) return pending({ workflowId, branch, since })
    // The run exists, so an error of this read must not look like a failed request.
    const run = await unless(this.getRun(String(id)), () => true)
    return run ?? pending({ runId: String(id) })
  }

  /** Dispatches a workflow, with the run in the answer if the server knows how to return it. */
  async #dispatch(parameters: { workflow_id: string; ref: string; inputs: RunInputs }) {
    const begin = (more: object = {}) =>
      this.#github.request(
        'POST /repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches',
        { ...parameters, ...more } as never
      )
    // An older Enterprise Server refuses a key that it does not know.
    const begun = await unless(
      begin({ return_run_details: true }),
      (error) => error.detail.status === 422 && reads(/return_run_details/)(error)
    )
    return begun ?? begin()
  }

  async resolvePending(token: string, isTaken?: IsTaken): Promise<CiRun | null> {
    const dispatch = JSON.parse(token) as Pending
    if ('runId' in dispatch) return this.getRun(dispatch.runId)
    const [oldest] = await this.#candidates(dispatch, isTaken)
    return oldest ?? null
  }

  /**
   * Returns the run of a dispatch whose answer was lost; null if there is none. GitHub has no
   * idempotency keys, and its runs do not show their inputs.
   * @throws conflict, with an unknown outcome, if several runs match
   */
  async #runInDoubt(dispatch: Dispatch, isTaken?: IsTaken): Promise<CiRun | null> {
    const [run, ...others] = await this.#candidates(dispatch, isTaken)
    if (others.length === 0) return run ?? null
    const urls = [run, ...others].map(({ url }) => url).join(', ')
    throw new ProviderError(
      'conflict',
      `The answer of GitHub was lost, and each of these runs may be the requested one: ${urls}`,
      { outcome: 'unknown', reason: 'ambiguous' }
    )
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
        if (artifact.expired) continue
        // An artifact may expire or be deleted after it was listed.
        const listed = unless(
          filesOf(this.context, artifactOf(artifact)),
          ({ code }) => code === 'notFound'
        )
        files.push(...((await listed) ?? []))
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
      throw refused('notFound', 'The artifact has expired or does not exist', 'expired')
    }
    return openFile(this.context, artifactOf(found.data), name ?? null)
  }

  /**
   * Returns the runs, oldest first, that this connection may have dispatched since a time, without
   * those that belong to other requests.
   */
  async #candidates(
    { workflowId, branch, since }: Dispatch,
    isTaken: IsTaken = () => false
  ): Promise<CiRun[]> {
    const beganAt = nowOf(this.context)
    const filter = { branch, event: 'workflow_dispatch', per_page: PAGE }
    const found: Run[] = []
    for (let page = 1; page <= MAX_PAGES; page++) {
      const { runs, aheadMs } = await this.#runs(workflowId, { ...filter, page })
      const from = Date.parse(since) + aheadMs - CLOCK_TOLERANCE_MS
      const recent = runs.filter((each) => Date.parse(each.created_at) >= from)
      found.push(...recent)
      // The newest come first.
      if (recent.length < PAGE) break
    }
    if (found.length === 0) return []
    const login = await this.#login()
    return found
      .filter(({ actor }) => actor?.login === login)
      .map((each) => this.#runOf(each, beganAt))
      .filter((each) => !isTaken(each))
      .reverse()
  }

  /** Returns the login of the connection; for an App, `{slug}[bot]`. */
  async #login(): Promise<string> {
    const { viewer } = await this.#github.graphql<{ viewer: { login: string } }>(
      'query { viewer { login } }'
    )
    return viewer.login
  }

  /** Lists runs. `aheadMs` is how far GitHub's clock is ahead of the local one. */
  async #runs(
    workflowId: string | undefined,
    filter: { branch?: string; event?: string; created?: string; per_page: number; page: number }
  ): Promise<{ total: number; runs: Run[]; aheadMs: number }> {
    const { data, headers } = workflowId
      ? await this.#github.request(
          'GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs',
          { ...filter, workflow_id: workflowId }
        )
      : await this.#github.request('GET /repos/{owner}/{repo}/actions/runs', filter)
    const githubTime = Date.parse(headers.date ?? '')
    const aheadMs = Number.isNaN(githubTime) ? 0 : githubTime - this.context.now().getTime()
    return { total: data.total_count, runs: data.workflow_runs as Run[], aheadMs }
  }

  #runOf(run: Run, beganAt: string): CiRun {
    const isOver = run.status === 'completed'
    const raw = (isOver ? run.conclusion : run.status) ?? ''
    const state = (isOver ? FINISHED_STATES : ACTIVE_STATES)[raw] ?? 'unknown'
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

/** Turns `.github/workflows/release.yml@main` into `release.yml`. */
const fileOf = (path: string) => path.replace(/^.*\//, '').replace(/@.*$/, '')

const pending = (dispatch: Pending) => ({ pendingToken: JSON.stringify(dispatch) })

const nextOf = (page: number, total: number) =>
  page * PAGE < total ? { next: String(page + 1) } : {}

function numberOf(id: string): number {
  if (/^[0-9]{1,15}$/.test(id)) return Number(id)
  throw refused('notFound', `"${id.slice(0, 40)}" is not a GitHub id`, 'id')
}

const artifactOf = (artifact: {
  id: number
  name: string
  archive_download_url: string
  expires_at: string | null
}): Artifact => ({
  id: artifact.id,
  name: artifact.name,
  url: artifact.archive_download_url,
  expiresAt: artifact.expires_at,
})
