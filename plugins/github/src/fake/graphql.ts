import type { FakeCode } from './code.js'

/*
 * Answers the queries of the plugin as GitHub's GraphQL API does, with status 200 even for errors.
 */

type Variables = Record<string, unknown>

/** Answers with the error of a field. */
const failed = (field: string, type: string, message: string, data: unknown) =>
  Response.json({ data, errors: [{ type, path: ['repository', field], message }] })

export function answerGraphql(
  code: FakeCode | null,
  { query, variables }: { query: string; variables: Variables }
): Response {
  const name = `${String(variables.owner)}/${String(variables.repo)}`
  if (code === null) {
    const message = `Could not resolve to a Repository with the name '${name}'.`
    return failed('repository', 'NOT_FOUND', message, { repository: null })
  }
  if (query.includes('refs(refPrefix')) return tags(code, variables)
  if (query.includes('pullRequests(states')) return openPulls(code, variables)
  if (query.includes('associatedPullRequests')) return pullsOfCommit(code, variables)
  if (query.includes('pullRequest(number')) return onePull(code, variables)
  if (query.includes('entries')) return folders(code, variables)
  return Response.json({ errors: [{ type: 'undefinedField', message: 'The field is unknown' }] })
}

/** Answers with the entries of folders, which the variables name as `{commit}:{path}`. */
function folders({ git }: FakeCode, { owner: _owner, repo: _repo, ...named }: Variables): Response {
  const entriesOf = (expression: string) => {
    const [sha, ...rest] = expression.split(':')
    const paths = [...git.treeOf(sha).keys()]
    const folder = rest.join(':')
    const start = folder === '' ? '' : `${folder}/`
    const inside = paths.filter((path) => path.startsWith(start))
    if (inside.length === 0) return paths.includes(folder) ? {} : null
    const names = new Set(inside.map((path) => path.slice(start.length).split('/')[0]))
    const modeOf = (path: string) =>
      paths.includes(path) ? (git.modes.get(path) ?? '100644') : '40000'
    return {
      entries: [...names].map((name) => ({ name, mode: Number.parseInt(modeOf(start + name), 8) })),
    }
  }
  const answered = Object.entries(named).map(([name, expression]) => [
    name,
    entriesOf(String(expression)),
  ])
  return Response.json({ data: { repository: Object.fromEntries(answered) } })
}

/** Returns a page of a list by its cursor. */
function connection<Node>(all: readonly Node[], { first, after }: Variables) {
  const from = after === null || after === undefined ? 0 : Number(after)
  const until = from + Math.min(100, Number(first))
  return {
    nodes: all.slice(from, until),
    pageInfo: { hasNextPage: until < all.length, endCursor: until > from ? String(until) : null },
  }
}

function tags(code: FakeCode, variables: Variables): Response {
  const { git } = code
  const wanted = typeof variables.text === 'string' ? variables.text : ''
  const nodes = [...git.tags]
    .filter(([name]) => name.includes(wanted))
    .map(([name, tag]) => {
      const sha = git.commitOfTag(tag)
      const { date } = git.commits.get(sha)!.committer
      const object = git.tagObjects.get(tag.sha)
      const commit = { oid: sha, committedDate: date }
      const target = object
        ? { __typename: 'Tag', oid: tag.sha, tagger: { date: object.at }, target: commit }
        : { __typename: 'Commit', ...commit }
      return { name, target, at: date }
    })
    .sort((one, other) => (one.at < other.at ? 1 : one.at > other.at ? -1 : 0))
    .map(({ name, target }) => ({ name, target }))
  return Response.json({ data: { repository: { refs: connection(nodes, variables) } } })
}

type Pull = FakeCode['pulls'][number]

const STATES: Readonly<Record<string, string>> = {
  open: 'OPEN',
  draft: 'OPEN',
  merged: 'MERGED',
  closed: 'CLOSED',
}

const ROLLUPS: Readonly<Record<string, string>> = {
  pending: 'PENDING',
  success: 'SUCCESS',
  failure: 'FAILURE',
}

function shown(code: FakeCode, stored: Pull) {
  const pull = code.pullNow(stored)
  const base = code.git.branches.get(pull.base)?.sha
  const isOpen = STATES[pull.state] === 'OPEN'
  const merges = isOpen && base !== undefined && code.git.merged(base, pull.sha) !== null
  const own = code.statuses.findLast(({ sha }) => sha === pull.sha)
  const rollup = own ? { state: ROLLUPS[own.state] } : null
  return {
    number: pull.number,
    title: pull.title,
    url: `https://github.com/${code.repository}/pull/${pull.number}`,
    state: STATES[pull.state] ?? pull.state,
    isDraft: pull.state === 'draft',
    mergeable: isOpen ? (merges ? 'MERGEABLE' : 'CONFLICTING') : 'UNKNOWN',
    mergedAt: pull.mergedAt,
    headRefName: pull.head,
    headRefOid: pull.sha,
    baseRefName: pull.base,
    author: { login: pull.author },
    commits: { nodes: [{ commit: { oid: pull.sha, statusCheckRollup: rollup } }] },
  }
}

function openPulls(code: FakeCode, variables: Variables): Response {
  const open = code.pulls.filter(({ state }) => STATES[state] === 'OPEN')
  const pullRequests = connection(
    open.map((each) => shown(code, each)),
    variables
  )
  return Response.json({ data: { repository: { pullRequests } } })
}

function onePull(code: FakeCode, { number }: Variables): Response {
  const found = code.pulls.find((each) => each.number === number)
  if (found) return Response.json({ data: { repository: { pullRequest: shown(code, found) } } })
  const message = `Could not resolve to a PullRequest with the number of ${String(number)}.`
  return failed('pullRequest', 'NOT_FOUND', message, { repository: { pullRequest: null } })
}

/** Answers with the pull requests whose branch has the commit and whose base had not. */
function pullsOfCommit(code: FakeCode, { sha }: Variables): Response {
  const { git } = code
  if (!git.commits.has(String(sha))) {
    return Response.json({ data: { repository: { object: null } } })
  }
  const nodes = code.pulls
    .map((each) => code.pullNow(each))
    .filter((pull) => {
      if (!git.reached(pull.sha).has(String(sha))) return false
      const base = git.branches.get(pull.base)?.sha
      const merge = [...git.commits.values()].find(({ parents }) => parents[1] === pull.sha)
      const before = pull.state === 'merged' ? (merge?.parents[0] ?? base) : base
      return before === undefined || !git.reached(before).has(String(sha))
    })
    .map((each) => shown(code, each))
  return Response.json({ data: { repository: { object: { associatedPullRequests: { nodes } } } } })
}
