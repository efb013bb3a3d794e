import { compareTexts } from '../../foundation/core/compare_texts.js'
import {
  checksOf,
  isMergeable,
  judgedAt,
  mergePull,
  openPull,
  pullNow,
  pullsFor,
  reviewOf,
  withStatus,
} from '#simulated-providers/pulls'
import { patchIds } from '#simulated-providers/patch_ids'
import {
  cherryPick,
  commitFiles,
  createBranch,
  createTag,
  filesAt,
  isCodeRefused,
  mergeInto,
  named,
  reached,
  textHash,
  type CodeRefused,
  type CodeResult,
  type CommitStatus,
  type SimulatedCommit,
  type SimulatedPull,
  type SimulatedRepository,
} from '#simulated-providers/repository'
import {
  answered,
  instantText,
  noAddress,
  objectsIn,
  paged,
  Refusal,
  textIn,
  type WorldResponse,
  type WorldRequest,
} from './http.js'
import { repositoryOf, type World } from './world.js'

const STATUS: Readonly<Partial<Record<CodeRefused, number>>> = {
  commitUnknown: 404,
  branchUnknown: 404,
  pullUnknown: 404,
  nothingToMerge: 422,
  nothingToPick: 422,
}

const MESSAGES: Readonly<Record<CodeRefused, string>> = {
  commitUnknown: 'There is no such commit',
  branchUnknown: 'There is no such branch',
  refTaken: 'The name points to another commit',
  fileChanged: 'A file has changed in the meantime',
  mergeConflict: 'Files were changed on both sides',
  pullUnknown: 'There is no such request to merge',
  pullChanged: 'The branch of the request is at another commit',
  pullClosed: 'The request is closed',
  checksMissing: 'The branch accepts only what has passed its checks',
  reviewMissing: 'The branch accepts only what was approved',
  nothingToMerge: 'The base has all of the branch',
  nothingToPick: 'The branch has all that the commit changes',
}

/** Converts a refusal of the repository to the answer of its host. */
export const refusalOf = (why: CodeRefused) => new Refusal(STATUS[why] ?? 409, MESSAGES[why], why)

interface At {
  world: World
  now: number
  repo: string
  repository: SimulatedRepository
  request: WorldRequest
}

/** Answers for the git host of a world; the path begins with the name of a repository. */
export function respondForCode(world: World, now: number, request: WorldRequest): WorldResponse {
  const [repo, what, ...path] = request.path
  if (repo === undefined || repo === '') throw noAddress()
  const repository = repositoryOf(world, repo)
  const at = { world, now, repo, repository, request: { ...request, path } }
  if (what === 'pulls') return respondForPulls(at)
  const result = request.isChange ? CHANGES[what] : READS[what]
  if (result === undefined) throw noAddress()
  return result(at)
}

/**
 * Stores the result, and answers with what `show` returns for it; a merge conflict lists its files.
 */
function kept<Made>(at: At, result: CodeResult<Made>, show: (made: Made) => object): WorldResponse {
  const { world, repo } = at
  if (isCodeRefused(result)) {
    const { refused, files } = result
    if (refused !== 'mergeConflict') throw refusalOf(refused)
    const body = { code: refused, message: MESSAGES[refused], files }
    return { world, response: Response.json(body, { status: 409 }) }
  }
  const repositories = { ...world.repositories, [repo]: result.repository }
  return answered({ ...world, repositories }, show(result.made))
}

const READS: Readonly<Record<string, (at: At) => WorldResponse>> = {
  branches({ world, repository, request: { path } }) {
    const found = repository.branches.find(({ name }) => name === path[0])
    if (!found) throw refusalOf('branchUnknown')
    const isProtected = found.protected || repository.settings.protected.includes(found.name)
    return answered(world, { ...found, protected: isProtected })
  },
  compare({ world, repository, request: { query } }) {
    const from = query.get('base')
    const base = from === null ? null : named(repository, from)
    const head = named(repository, query.get('head') ?? '')
    if ((from !== null && base === null) || head === null) throw refusalOf('branchUnknown')
    const behind = base === null ? new Set<string>() : reached(repository, base)
    const ahead = reached(repository, head)
    const items = repository.commits.filter(({ sha }) => ahead.has(sha) && !behind.has(sha))
    const lacking = [...behind].filter((sha) => !ahead.has(sha)).length
    const page = paged(items.toReversed(), query, shownCommit)
    return answered(world, { ...page, ahead: items.length, behind: lacking })
  },
  tags({ world, repository, request: { query } }) {
    const prefix = query.get('prefix') ?? ''
    const tags = repository.tags
      .filter(({ name }) => name.startsWith(prefix))
      .sort((one, other) => other.at - one.at || compareTexts(one.name, other.name))
    return answered(
      world,
      paged(tags, query, ({ at, ...tag }) => ({ ...tag, at: instantText(at) }))
    )
  },
  files({ world, repository, request: { query } }) {
    const sha = named(repository, query.get('ref') ?? '')
    if (sha === null) throw refusalOf('branchUnknown')
    const text = filesAt(repository, sha).get(query.get('path') ?? '')
    return answered(world, { file: text === undefined ? null : { text, sha: textHash(text) } })
  },
  patches({ world, repository, request: { query } }) {
    const shas = (query.get('shas') ?? '').split(',')
    return answered(world, Object.fromEntries(patchIds(repository, shas)))
  },
}

const committing = ({ world, now, request }: At) => ({ seed: world.seed, now, key: request.key })

const CHANGES: Readonly<Record<string, (at: At) => WorldResponse>> = {
  branches(at) {
    const [name, sha] = [textIn(at.request, 'name'), textIn(at.request, 'sha')]
    return kept(at, createBranch(at.repository, name, sha), () => ({ name, sha }))
  },
  tags(at) {
    const [name, sha] = [textIn(at.request, 'name'), textIn(at.request, 'sha')]
    return kept(at, createTag(at.repository, at.now, { name, sha }), () => ({ id: name }))
  },
  releases(at) {
    const { repository, request } = at
    const [tag, title] = [textIn(request, 'tag'), textIn(request, 'title')]
    if (!repository.tags.some(({ name }) => name === tag)) throw refusalOf('branchUnknown')
    const isThere = repository.releases.some((each) => each.tag === tag)
    const release = { tag, title, notes: String(request.body.notes ?? '') }
    const releases = isThere ? repository.releases : [...repository.releases, release]
    return kept(at, { repository: { ...repository, releases }, made: tag }, (id) => ({ id }))
  },
  commits(at) {
    const { repository, request } = at
    const [branch, message] = [textIn(request, 'branch'), textIn(request, 'message')]
    const files = objectsIn(request, 'files').map(({ path, text, replaces }) => {
      if (typeof path !== 'string' || typeof text !== 'string') {
        throw new Refusal(422, 'A file has a path and a text')
      }
      return { path, text, ...(typeof replaces === 'string' ? { replaces } : {}) }
    })
    const how = { ...committing(at), branch, message }
    return kept(at, commitFiles(repository, how, files), shownCommit)
  },
  picks(at) {
    const { repository, request } = at
    const [sha, onto, branch] = ['sha', 'onto', 'branch'].map((each) => textIn(request, each))
    const picked = cherryPick(repository, { ...committing(at), branch }, { sha, onto })
    return kept(at, picked, (made) => ({ sha: made.sha, branch }))
  },
  statuses(at) {
    const { repository, request } = at
    const status = statusIn(request)
    if (!repository.commits.some(({ sha }) => sha === status.sha)) throw refusalOf('commitUnknown')
    const statuses = withStatus(repository.statuses ?? [], status)
    return kept(at, { repository: { ...repository, statuses }, made: status }, (made) => made)
  },
  merges(at) {
    const { repository, request } = at
    const [from, branch, message] = ['from', 'into', 'message'].map((each) => textIn(request, each))
    const tip = named(repository, from)
    if (tip === null) throw refusalOf('branchUnknown')
    const how = { ...committing(at), branch, message }
    const resolved = objectsIn(request, 'resolved').map(({ path, text, ours, theirs }) => ({
      ...{ path: String(path), text: String(text) },
      ...{ ours: String(ours), theirs: String(theirs) },
    }))
    return kept(at, mergeInto(repository, how, tip, { resolved }), (made) => made)
  },
}

const STATES = ['pending', 'success', 'failure'] as const

/** Reads the status of a commit from a request. */
export function statusIn(request: WorldRequest): CommitStatus {
  const [sha, name, given] = ['sha', 'name', 'state'].map((each) => textIn(request, each))
  const state = STATES.find((each) => each === given)
  if (state === undefined) throw new Refusal(422, `A commit is not marked ${given}`)
  return { sha, name, state, description: String(request.body.description ?? '') }
}

const shownCommit = ({ sha, message, author, at, parents }: SimulatedCommit) => ({
  ...{ sha, message, author, parents },
  at: instantText(at),
})

function respondForPulls(at: At): WorldResponse {
  const { world, now, repository, request } = at
  const { path, query, isChange } = request
  const [id, action] = path
  const shown = (pull: SimulatedPull) => ({
    number: pull.number,
    title: pull.title,
    head: pull.head,
    base: pull.base,
    sha: pull.sha,
    state: pull.state,
    checks: checksOf(
      repository.settings,
      judgedAt(repository, { seed: world.seed, now }, pull.sha)
    ),
    review: reviewOf(
      repository.settings,
      judgedAt(repository, { seed: world.seed, now }, pull.sha)
    ),
    mergeable: isMergeable(repository, pull),
    ...(pull.author === undefined ? {} : { author: pull.author }),
    ...(pull.mergedAt === undefined ? {} : { mergedAt: pull.mergedAt }),
  })
  if (id === undefined && isChange) {
    const [head, base, title] = ['head', 'base', 'title'].map((each) => textIn(request, each))
    const input = { head, base, title, body: String(request.body.body ?? ''), key: request.key }
    return kept(at, openPull(repository, now, input), shown)
  }
  const all = repository.pulls.map((each) => pullNow(repository, each))
  if (id === undefined) {
    const commit = query.get('commit')
    const found =
      commit === null
        ? all.filter(({ state }) => state === 'open' || state === 'draft')
        : pullsFor(repository, commit)
    return answered(world, paged(found, query, shown))
  }
  const pull = all.find(({ number }) => number === Number(id))
  if (!pull) throw refusalOf('pullUnknown')
  if (!isChange) return answered(world, shown(pull))
  if (action !== 'merge') throw noAddress()
  const isSquashed = request.body.how === 'squash' || request.body.how === 'rebase'
  const merging = { number: pull.number, sha: textIn(request, 'sha'), isSquashed }
  return kept(at, mergePull(repository, committing(at), merging), shown)
}
