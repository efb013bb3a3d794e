import { cancel, isKept, stateOf, trigger, type SimulatedRun } from '#simulated-providers/ci'
import { tipOf } from '#simulated-providers/repository'
import type { Artifact } from './artifacts.js'
import {
  answered,
  noAddress,
  paged,
  Refusal,
  type WorldResponse,
  type WorldRequest,
} from './http.js'
import { repositoryOf, type World } from './world.js'

/** Answers for the CI system of a world. */
export async function respondForCi(
  world: World,
  now: number,
  request: WorldRequest
): Promise<WorldResponse> {
  const { path, query, isChange } = request
  const [what, id, more, file] = path
  if (what === 'workflows' && !isChange) {
    const wanted = (query.get('query') ?? '').toLowerCase()
    const { workflows } = world.ci
    return answered(
      world,
      paged(
        workflows.filter(({ name }) => name.toLowerCase().includes(wanted)),
        query
      )
    )
  }
  if (what !== 'runs') throw noAddress()
  if (id === undefined)
    return isChange ? triggerRun(world, now, request) : listRuns(world, now, query)
  const run = world.ci.runs.find((each) => each.id === id)
  if (!run) throw new Refusal(404, `There is no run ${id}`)
  if (isChange && more === 'cancel') {
    const ci = cancel(world.ci, id, now)
    return answered(
      { ...world, ci },
      shown(
        ci.runs.find((each) => each.id === id)!,
        now
      )
    )
  }
  if (isChange) throw new Refusal(405, 'That cannot be done with a run')
  if (more === undefined) return answered(world, shown(run, now))
  if (more === 'artifacts') return respondForFiles(world, now, { run, file, query })
  throw noAddress()
}

function triggerRun(world: World, now: number, { body, key }: WorldRequest): WorldResponse {
  const { workflowId, branch, sha, inputs, app, repository } = body
  const isKnown = world.ci.workflows.some((workflow) => workflow.id === workflowId)
  if (typeof workflowId !== 'string' || !isKnown) {
    throw new Refusal(404, `There is no workflow ${String(workflowId)}`)
  }
  if (typeof branch !== 'string' || branch === '') throw new Refusal(422, 'A branch is missing')
  const request = {
    workflowId,
    branch,
    sha: typeof sha === 'string' ? sha : commitToBuild(world, branch, repository),
    inputs: typeof inputs === 'object' ? (inputs as Record<string, string>) : {},
    key,
    ...(typeof app === 'string' ? { app } : {}),
  }
  const { ci, run } = trigger(world.ci, world.seed, now, request)
  return answered({ ...world, ci }, shown(run, now))
}

/**
 * Returns the commit at the tip of a branch. Without a repository of the app, any repository of the
 * world with that branch is used; undefined if none has it.
 * @throws Refusal if the app's repository has no such branch
 */
function commitToBuild(world: World, branch: string, repository: unknown): string | undefined {
  if (typeof repository !== 'string') {
    const tips = Object.values(world.repositories).map((each) => tipOf(each, branch))
    return tips.find((sha) => sha !== null) ?? undefined
  }
  const sha = tipOf(repositoryOf(world, repository), branch)
  if (sha === null) throw new Refusal(422, `${repository} has no branch ${branch}`)
  return sha
}

function listRuns(world: World, now: number, query: URLSearchParams): WorldResponse {
  const [workflowId, branch, app] = ['workflowId', 'branch', 'app'].map((name) => query.get(name))
  const since = Date.parse(query.get('since') ?? '')
  const runs = world.ci.runs.filter(
    (run) =>
      (workflowId === null || run.workflowId === workflowId) &&
      (branch === null || run.branch === branch) &&
      (app === null || run.app === undefined || run.app === app) &&
      (Number.isNaN(since) || run.queuedAt >= since)
  )
  // The oldest come first, so that a run that begins meanwhile does not shift later pages.
  return answered(
    world,
    paged(runs, query, (run) => shown(run, now))
  )
}

async function respondForFiles(
  world: World,
  now: number,
  { run, file, query }: { run: SimulatedRun; file: string | undefined; query: URLSearchParams }
): Promise<WorldResponse> {
  const { artifactsOf } = await import('./artifacts.js')
  const isDone = stateOf(run, now) === 'succeeded'
  const files = isDone ? artifactsOf(world, run, isKept(world.ci, run, now)) : []
  if (file === undefined) return answered(world, paged(files, query, shownFile))
  const found = files.find(({ id }) => id === file)
  if (!found) throw new Refusal(404, `The run has no file ${file}`)
  if (found.isExpired) throw new Refusal(410, 'The file has expired')
  const headers = { 'content-type': found.contentType }
  return { response: new Response(new Uint8Array(found.bytes), { headers }), world }
}

const shownFile = ({ id, name, contentType, bytes, isExpired }: Artifact) => ({
  id,
  name,
  contentType,
  bytes: bytes.length,
  isExpired,
})

function shown(run: SimulatedRun, now: number): object {
  const { id, number, workflowId, branch, sha, startsAt, endsAt, canceledAt } = run
  const end = Math.min(endsAt, canceledAt ?? Infinity)
  const instant = (at: number) => (at <= now ? new Date(at).toISOString() : null)
  return {
    id,
    number,
    workflowId,
    branch,
    sha,
    state: stateOf(run, now),
    startedAt: run.pinned === null ? instant(startsAt) : null,
    finishedAt: run.pinned === null ? instant(end) : null,
  }
}
