import {
  isProviderError,
  type Page,
  ProviderError,
  type PullRequest,
  unless,
} from '@tarmac/plugin-kit'
import { refused } from '../errors.js'
import {
  requireHash,
  requireName,
  nextOf,
  nowOf,
  reads,
  type Connection,
  type GitHub,
} from '../github.js'

/** Pull requests per page. The page is small, because the checks of each cost rate limit points. */
const PAGE = 50

const PULL = `fragment pull on PullRequest {
  number title url state isDraft mergeable mergedAt
  headRefName headRefOid baseRefName
  author { login }
  commits(last: 1) { nodes { commit { oid statusCheckRollup { state } } } }
}`

interface PullNode {
  number: number
  title: string
  url: string
  state: string
  isDraft: boolean
  mergeable: string
  mergedAt: string | null
  headRefName: string
  headRefOid: string
  baseRefName: string
  author: { login: string } | null
  commits: { nodes: { commit: { oid: string; statusCheckRollup: { state: string } | null } }[] }
}

const STATES: Readonly<Record<string, PullRequest['status']['state']>> = {
  OPEN: 'open',
  MERGED: 'merged',
  CLOSED: 'closed',
}

const CHECKS: Readonly<Record<string, PullRequest['checks']['state']>> = {
  SUCCESS: 'passing',
  FAILURE: 'failing',
  ERROR: 'failing',
  PENDING: 'pending',
  EXPECTED: 'pending',
}

const MERGEABLE: Readonly<Record<string, boolean>> = { MERGEABLE: true, CONFLICTING: false }

function pullOf({ ctx }: GitHub, beganAt: string, node: PullNode): PullRequest {
  const observed = <State extends string>(state: State | 'unknown', raw: string) => ({
    state,
    raw,
    beganAt,
    observedAt: nowOf(ctx),
    lagSeconds: 0,
  })
  const isDraft = node.state === 'OPEN' && node.isDraft
  const rollup = node.commits.nodes[0]?.commit.statusCheckRollup?.state
  return {
    id: String(node.number),
    url: node.url,
    number: node.number,
    title: node.title,
    head: node.headRefName,
    base: node.baseRefName,
    sha: node.headRefOid,
    status: observed(
      isDraft ? 'draft' : (STATES[node.state] ?? 'unknown'),
      isDraft ? 'DRAFT' : node.state
    ),
    checks: observed(
      rollup === undefined ? 'none' : (CHECKS[rollup] ?? 'unknown'),
      rollup ?? 'NONE'
    ),
    mergeable: MERGEABLE[node.mergeable] ?? null,
    ...(node.author ? { author: node.author.login } : {}),
    ...(node.mergedAt ? { mergedAt: node.mergedAt } : {}),
  }
}

const BY_NUMBER = `${PULL}
query ($owner: String!, $repo: String!, $number: Int!) {
  repository(owner: $owner, name: $repo) { pullRequest(number: $number) { ...pull } }
}`

export async function getPullRequest(github: GitHub, number: number): Promise<PullRequest | null> {
  const beganAt = nowOf(github.ctx)
  const found = await unless(
    github.graphql<{ repository: { pullRequest: PullNode | null } }>(BY_NUMBER, { number }),
    (error) => error.code === 'notFound' && reads(/PullRequest/)(error)
  )
  const node = found?.repository.pullRequest
  return node ? pullOf(github, beganAt, node) : null
}

const OPEN = `${PULL}
query ($owner: String!, $repo: String!, $first: Int!, $after: String) {
  repository(owner: $owner, name: $repo) {
    pullRequests(states: OPEN, first: $first, after: $after,
      orderBy: { field: CREATED_AT, direction: ASC }) {
      nodes { ...pull }
      pageInfo { hasNextPage endCursor }
    }
  }
}`

interface OpenAnswer {
  repository: { pullRequests: Connection<PullNode> }
}

export async function listOpenPullRequests(
  github: GitHub,
  cursor?: string
): Promise<Page<PullRequest>> {
  const beganAt = nowOf(github.ctx)
  const { repository } = await github.graphql<OpenAnswer>(OPEN, {
    first: PAGE,
    after: cursor ?? null,
  })
  const { pullRequests } = repository
  const items = pullRequests.nodes.map((each) => pullOf(github, beganAt, each))
  return { items, ...nextOf(pullRequests) }
}

const PULLS_OF_COMMIT = `${PULL}
query ($owner: String!, $repo: String!, $sha: GitObjectID!, $first: Int!) {
  repository(owner: $owner, name: $repo) {
    object(oid: $sha) {
      ... on Commit { associatedPullRequests(first: $first) { nodes { ...pull } } }
    }
  }
}`

interface CommitAnswer {
  repository: { object: { associatedPullRequests?: { nodes: PullNode[] } } | null }
}

export async function pullRequestsForCommit(github: GitHub, sha: string): Promise<PullRequest[]> {
  const beganAt = nowOf(github.ctx)
  const { repository } = await github.graphql<CommitAnswer>(PULLS_OF_COMMIT, {
    sha: requireHash(sha),
    first: PAGE,
  })
  const nodes = repository.object?.associatedPullRequests?.nodes ?? []
  return nodes.map((each) => pullOf(github, beganAt, each))
}

interface NewPull {
  head: string
  base: string
  title: string
  body: string
}

/** Opens a pull request, or returns the one that is already open for the two branches. */
export async function openPullRequest(github: GitHub, pull: NewPull): Promise<PullRequest> {
  const { head, base, title, body } = pull
  requireName(head)
  requireName(base)
  const known = await openFor(github, head, base)
  if (known !== null) return requirePull(github, known)
  const made = await unless(
    github.request('POST /repos/{owner}/{repo}/pulls', { head, base, title, body }),
    reads(/already exists/i)
  )
  const number = made?.data.number ?? (await openFor(github, head, base))
  if (number !== null) return requirePull(github, number)
  throw refused('conflict', `A pull request of "${head}" cannot be opened`, 'exists')
}

async function openFor(github: GitHub, head: string, base: string): Promise<number | null> {
  const { data } = await github.request('GET /repos/{owner}/{repo}/pulls', {
    head: `${github.owner}:${head}`,
    base,
    state: 'open',
  })
  return data[0]?.number ?? null
}

async function requirePull(github: GitHub, number: number): Promise<PullRequest> {
  const found = await getPullRequest(github, number)
  if (found) return found
  throw refused('notFound', `There is no pull request ${number}`, 'pull')
}

type How = 'merge' | 'squash' | 'rebase'

/** Merges a pull request whose tip is still `expectedSha`. */
export async function mergePullRequest(
  github: GitHub,
  number: number,
  how: How,
  expectedSha: string
): Promise<PullRequest> {
  const before = await requirePull(github, number)
  if (before.status.state === 'merged') return before
  try {
    await github.request('PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge', {
      pull_number: number,
      merge_method: how,
      sha: requireHash(expectedSha),
    })
  } catch (error) {
    if (!isProviderError(error) || error.code !== 'unsupported') throw error
    // 405 with a text that is not known: the pull request does not merge as it is.
    throw new ProviderError('conflict', error.message, error.detail)
  }
  return requirePull(github, number)
}
