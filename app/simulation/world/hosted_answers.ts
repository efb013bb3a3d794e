import {
  beginMerge,
  markMerged,
  NO_REQUESTS,
  openRequest,
  type RequestCommits,
} from '#simulated-providers/hosted_requests'
import { checksOf, holdsBack, reviewOf, withStatus, type Judged } from '#simulated-providers/pulls'
import { refusalOf, statusIn } from './code_answers.js'
import {
  answered,
  instantOf,
  noAddress,
  paged,
  Refusal,
  textIn,
  textsIn,
  type WorldResponse,
  type WorldRequest,
} from './http.js'
import type { World } from './world.js'

/*
 * Answers of a world's git host about repositories that are hosted elsewhere. Clients read commits
 * from git, and pull requests, checks and reviews here.
 */

/** Answers for the git host of a world; the path begins with the name of a repository. */
export function respondForHosted(world: World, now: number, request: WorldRequest): WorldResponse {
  const [repo, resource, id, action] = request.path
  if (repo === undefined || repo === '') throw noAddress()
  const hosted = Object.hasOwn(world.hosted, repo) ? world.hosted[repo] : NO_REQUESTS
  const keep = (next: typeof hosted, body: object) =>
    answered({ ...world, hosted: { ...world.hosted, [repo]: next } }, body)
  const { query, isChange } = request
  if (resource === 'access' && !isChange) return answered(world, {})
  if (resource === 'judgement' && !isChange) {
    return answered(world, judgement(world, now, query, hosted.statuses))
  }
  if (resource === 'statuses' && isChange) {
    const status = statusIn(request)
    return keep({ ...hosted, statuses: withStatus(hosted.statuses, status) }, status)
  }
  if (resource !== 'requests') throw noAddress()
  if (id === undefined && !isChange) return answered(world, paged(hosted.requests, query))
  if (id === undefined) {
    const [head, base, title] = ['head', 'base', 'title'].map((name) => textIn(request, name))
    const texts = { head, base, title, body: String(request.body.body ?? ''), key: request.key }
    const opened = openRequest(hosted, now, { ...texts, ...commitsIn(request) })
    return keep(opened.hosted, opened.request)
  }
  const number = Number(id)
  const found = hosted.requests.find((each) => each.number === number)
  if (!found) throw refusalOf('pullUnknown')
  if (!isChange) return answered(world, found)
  if (action !== 'merged' && action !== 'merging') throw noAddress()
  const { sha } = request.body
  const { hosted: next, request: changed } =
    action === 'merging'
      ? beginMerge(hosted, found, commitsIn(request))
      : markMerged(hosted, found, { now, sha: typeof sha === 'string' ? sha : null })
  return keep(next, changed)
}

function commitsIn(request: WorldRequest): RequestCommits {
  const at = Number(request.body.at)
  if (!Number.isSafeInteger(at)) throw new Refusal(422, 'The time of the commit is missing')
  return { sha: textIn(request, 'sha'), at, commits: textsIn(request, 'commits') }
}

/** Returns the verdict of checks and reviewers on a commit, and why a branch would refuse it. */
function judgement(
  { seed, newRepository }: World,
  now: number,
  query: URLSearchParams,
  statuses: Judged['statuses']
) {
  const { settings } = newRepository
  const since = instantOf(query, 'since') ?? now
  const judged = { seed, now, sha: query.get('sha') ?? '', since, statuses }
  return {
    checks: checksOf(settings, judged),
    review: reviewOf(settings, judged),
    heldBack: holdsBack(settings, query.get('base') ?? '', judged),
  }
}
