import type { CiScenario } from '@tarmac/plugin-kit/testing'
import { invalid, notFound, pageOf, Refusal, type FakeRequest } from './answers.js'
import { zipOf } from './zip.js'

const API = 'https://api.github.com'
const SITE = 'https://github.com'
/** GitHub's host of artifacts. */
export const STORAGE = 'productionresultssa0.blob.core.windows.net'

interface Run {
  id: number
  workflowId: string
  branch: string
  sha: string
  state: string
  event: string
  createdAt: string
  actor: string
  inputs: Record<string, string>
}

/** Status and conclusion of a run by its state; any other state becomes an unknown conclusion. */
const REPORTED_AS: Readonly<Record<string, readonly [status: string, conclusion: string | null]>> =
  {
    queued: ['queued', null],
    running: ['in_progress', null],
    succeeded: ['completed', 'success'],
    failed: ['completed', 'failure'],
    canceled: ['completed', 'cancelled'],
  }

const MINUTE = 60_000

/** Workflows, their runs and artifacts. */
export class FakeActions {
  readonly workflows: CiScenario['workflows']
  readonly runs: Run[]
  /** Files of artifacts; those with the same id are in one archive. */
  readonly artifacts: CiScenario['artifacts']
  /** Ids of artifacts that are single files, as they were uploaded. */
  readonly unzipped = new Set<string>()
  /** Archives of artifacts, by id, in place of those made of their files. */
  readonly archives = new Map<string, Buffer>()
  /** False to answer a dispatch with 204 and without its run, as an older server does. */
  reportsRuns = true
  /** False to refuse a request for the run of a dispatch, as an Enterprise Server 3.19 does. */
  knowsRunDetails = true

  constructor(
    private readonly repository: string,
    private readonly now: () => string,
    private readonly tipOf: (branch: string) => string | null,
    scenario: CiScenario = { workflows: [], runs: [], artifacts: [] }
  ) {
    this.workflows = scenario.workflows
    this.artifacts = scenario.artifacts
    const { length } = scenario.runs
    this.runs = scenario.runs.map(({ id, ...each }, index) => ({
      ...each,
      id: Number(id),
      event: 'push',
      actor: 'ada',
      createdAt: new Date(Date.parse(now()) - (length - index + 60) * MINUTE).toISOString(),
      inputs: {},
    }))
  }

  state(): CiScenario {
    return {
      workflows: this.workflows,
      runs: this.runs.map(({ id, workflowId, branch, sha, state }) => ({
        ...{ id: String(id), workflowId, branch, sha, state },
      })),
      artifacts: this.artifacts,
    }
  }

  #link(path: string): string {
    return `${API}/repos/${this.repository}/actions/${path}`
  }

  listWorkflows(asked: FakeRequest): unknown {
    const { items } = pageOf(asked, this.workflows)
    return {
      total_count: this.workflows.length,
      workflows: items.map(({ id, name }) => ({
        id: this.#number(id),
        node_id: 'WORKFLOW',
        name,
        path: `.github/workflows/${id}`,
        state: 'active',
        created_at: this.now(),
        updated_at: this.now(),
        url: this.#link(`workflows/${this.#number(id)}`),
        html_url: `${SITE}/${this.repository}/blob/main/.github/workflows/${id}`,
        badge_url: `${SITE}/${this.repository}/workflows/${id}/badge.svg`,
      })),
    }
  }

  /** Returns the numeric id of a workflow. */
  #number(id: string): number {
    return 1000 + this.workflows.findIndex((each) => each.id === id)
  }

  #workflow(named: string) {
    const found = this.workflows.find(
      ({ id }) => id === named || String(this.#number(id)) === named
    )
    if (!found) throw notFound()
    return found
  }

  dispatch({ params: [named], body, login }: FakeRequest): Response {
    const {
      ref,
      inputs = {},
      return_run_details: reports,
    } = body as {
      ref: string
      inputs?: Record<string, string>
      return_run_details?: boolean
    }
    if (reports !== undefined && !this.knowsRunDetails) {
      throw invalid('Invalid request.\n\n"return_run_details" is not a permitted key.')
    }
    if (Object.keys(inputs).length > 25) throw invalid('You may only define up to 25 `inputs`')
    const id = this.begin(named, ref, { actor: login, inputs })
    if (!reports || !this.reportsRuns) return new Response(null, { status: 204 })
    return Response.json({
      workflow_run_id: id,
      run_url: this.#link(`runs/${id}`),
      html_url: `${SITE}/${this.repository}/actions/runs/${id}`,
    })
  }

  /** Begins a run, as a dispatch, a person on GitHub's page or a push does. @returns its id */
  begin(
    workflow: string,
    branch: string,
    {
      actor,
      inputs = {},
      event = 'workflow_dispatch',
    }: { actor: string; inputs?: Record<string, string>; event?: string }
  ): number {
    const { id: workflowId } = this.#workflow(workflow)
    const sha = this.tipOf(branch)
    if (sha === null) throw invalid(`No ref found for: ${branch}`)
    const id = 1 + Math.max(0, ...this.runs.map((each) => each.id))
    // GitHub's times are whole seconds.
    const createdAt = this.now().replace(/\.[0-9]+Z$/, 'Z')
    this.runs.push({
      ...{ id, workflowId, branch, sha, state: 'queued' },
      ...{ event, createdAt, actor, inputs },
    })
    return id
  }

  run({ params: [id] }: FakeRequest): unknown {
    return this.#shown(this.#found(id))
  }

  #found(id: string): Run {
    const found = this.runs.find((each) => each.id === Number(id))
    if (!found) throw notFound()
    return found
  }

  listRuns(asked: FakeRequest, named?: string): unknown {
    const { query } = asked
    const workflow = named === undefined ? undefined : this.#workflow(named)
    const since = query.get('created')?.replace(/^>=/, '')
    const found = this.runs
      .filter(
        (each) =>
          (workflow === undefined || each.workflowId === workflow.id) &&
          (query.get('branch') ?? each.branch) === each.branch &&
          (query.get('event') ?? each.event) === each.event &&
          (query.get('actor') ?? each.actor) === each.actor &&
          (since === undefined || Date.parse(each.createdAt) >= Date.parse(since))
      )
      .reverse()
    const { items } = pageOf(asked, found)
    return {
      total_count: found.length,
      workflow_runs: items.map((each) => this.#shown(each)),
    }
  }

  #shown(run: Run) {
    const { id, workflowId, branch, sha, state, event, createdAt, actor } = run
    const [status, conclusion] = REPORTED_AS[state] ?? ['completed', state]
    return {
      id,
      name: this.#workflow(workflowId).name,
      run_number: id,
      event,
      actor: { login: actor, id: 1, type: actor.endsWith('[bot]') ? 'Bot' : 'User' },
      status,
      conclusion,
      workflow_id: this.#number(workflowId),
      path: `.github/workflows/${workflowId}`,
      head_branch: branch,
      head_sha: sha,
      html_url: `${SITE}/${this.repository}/actions/runs/${id}`,
      url: this.#link(`runs/${id}`),
      created_at: createdAt,
      run_started_at: createdAt,
      updated_at: this.now(),
      pull_requests: [],
    }
  }

  cancel({ params: [id] }: FakeRequest): Response {
    const run = this.#found(id)
    const [status] = REPORTED_AS[run.state] ?? ['completed']
    if (status === 'completed')
      throw new Refusal(409, 'Cannot cancel a workflow run that is completed.')
    run.state = 'canceled'
    return Response.json({}, { status: 202 })
  }

  listArtifacts(asked: FakeRequest): unknown {
    const run = this.#found(asked.params[0])
    const own = this.artifacts.filter(
      ({ runId, id }, index) =>
        Number(runId) === run.id && this.artifacts.findIndex((each) => each.id === id) === index
    )
    const { items } = pageOf(asked, own)
    return { total_count: own.length, artifacts: items.map((each) => this.#shownArtifact(each)) }
  }

  artifact({ params: [id] }: FakeRequest): unknown {
    return this.#shownArtifact(this.#foundArtifact(id))
  }

  #foundArtifact(id: string) {
    const found = this.artifacts.find((each) => each.id === id)
    if (!found) throw notFound()
    return found
  }

  /** Returns the stored bytes of an artifact. */
  #bytes(id: string): Buffer {
    const files = this.artifacts.filter((each) => each.id === id)
    if (this.unzipped.has(id)) return Buffer.from(files[0].content)
    return this.archives.get(id) ?? zipOf(files)
  }

  #shownArtifact({ id, name, isExpired }: CiScenario['artifacts'][number]) {
    return {
      id: Number(id),
      node_id: 'ARTIFACT',
      name: this.unzipped.has(id) ? name : name.replace(/\.[^.]+$/, ''),
      size_in_bytes: this.#bytes(id).length,
      url: this.#link(`artifacts/${id}`),
      archive_download_url: this.#link(`artifacts/${id}/zip`),
      expired: isExpired,
      created_at: this.now(),
      updated_at: this.now(),
      expires_at: new Date(Date.parse(this.now()) + 90 * 24 * 60 * MINUTE).toISOString(),
    }
  }

  /** Redirects to the storage, by a link that is valid for a minute. */
  download({ params: [id] }: FakeRequest): Response {
    const { isExpired } = this.#foundArtifact(id)
    if (isExpired) throw new Refusal(410, 'Artifact has expired')
    const until = Date.parse(this.now()) + MINUTE
    const file = this.unzipped.has(id) ? id : `${id}.zip`
    return new Response(null, {
      status: 302,
      headers: { location: `https://${STORAGE}/artifacts/${file}?se=${until}` },
    })
  }

  /** Answers as the storage of artifacts: takes no credentials, and supports ranges. */
  stored({ url, headers }: Request): Response {
    const { pathname, searchParams } = new URL(url)
    if (headers.has('authorization')) return new Response('Bad credentials', { status: 401 })
    if (Date.parse(this.now()) > Number(searchParams.get('se'))) {
      return new Response('Signature expired', { status: 403 })
    }
    const [, id = ''] = /^\/artifacts\/(\d+)(?:\.zip)?$/.exec(pathname) ?? []
    if (!this.artifacts.some((each) => each.id === id)) {
      return new Response('Not found', { status: 404 })
    }
    const bytes = this.#bytes(id)
    const type = this.unzipped.has(id) ? 'application/octet-stream' : 'application/zip'
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.get('range') ?? '') ?? []
    if (from === undefined) {
      return new Response(new Uint8Array(bytes), { headers: { 'content-type': type } })
    }
    const isPast = Number(from) >= bytes.length
    const part = bytes.subarray(Number(from), Number(to) + 1)
    return new Response(isPast ? null : new Uint8Array(part), {
      status: isPast ? 416 : 206,
      headers: {
        'content-type': type,
        'content-range': `bytes ${isPast ? '*' : `${from}-${to}`}/${bytes.length}`,
      },
    })
  }
}
