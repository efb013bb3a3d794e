import type { VersionControlScenario } from '@tarmac/plugin-kit/testing'
import { invalid, notFound, pageOf, Refusal, type FakeRequest } from './answers.js'
import { FakeRepository, SITE } from './repository.js'

type Pull = VersionControlScenario['pulls'][number] & {
  body: string
  author: string
  mergedAt: string | null
}

interface Release {
  id: number
  tag: string
  title: string
  notes: string
}

/** The maximum number of webhooks of a repository for one event. */
const MAX_HOOKS = 20

/**
 * Extends the repository with what GitHub adds to git: pull requests, statuses, releases and
 * webhooks.
 */
export class FakeCode extends FakeRepository {
  readonly pulls: Pull[]
  readonly statuses: NonNullable<VersionControlScenario['statuses']>
  readonly releases: Release[]
  readonly hooks: { id: number; config: Record<string, unknown>; events: string[] }[] = []

  constructor(repository: string, now: () => string, scenario?: VersionControlScenario) {
    super(repository, now, scenario)
    this.pulls = (scenario?.pulls ?? []).map((each) => ({
      ...each,
      body: '',
      author: 'ada',
      mergedAt: each.state === 'merged' ? now() : null,
    }))
    this.statuses = [...(scenario?.statuses ?? [])]
    this.releases = (scenario?.releases ?? []).map((each, index) => ({ id: index + 1, ...each }))
  }

  state(): VersionControlScenario {
    return {
      ...this.git.scenario(),
      pulls: this.pulls.map(({ number, title, head, base, sha, state }) => ({
        ...{ number, title, head, base, sha, state },
      })),
      statuses: this.statuses,
      releases: this.releases.map(({ tag, title, notes }) => ({ tag, title, notes })),
      conflicting: [],
    }
  }

  setStatus({ params: [sha], body }: FakeRequest): Response {
    if (!this.git.commits.has(sha)) throw invalid(`No commit found for SHA: ${sha}`)
    const { state, context, description } = body as Record<string, string>
    this.statuses.push({ sha, name: context, state, description })
    const at = this.now()
    const answer = {
      url: this.link(`statuses/${sha}`),
      avatar_url: null,
      id: this.statuses.length,
      node_id: 'STATUS',
      state,
      description,
      target_url: null,
      context,
      created_at: at,
      updated_at: at,
      creator: null,
    }
    return Response.json(answer, { status: 201 })
  }

  release({ params: [tag] }: FakeRequest): unknown {
    const found = this.releases.find((each) => each.tag === tag)
    if (!found) throw notFound()
    return this.#releaseJson(found)
  }

  createRelease({ body }: FakeRequest): Response {
    const { tag_name: tag, name: title, body: notes } = body as Record<string, string>
    if (this.releases.some((each) => each.tag === tag)) {
      throw invalid('Validation Failed', {
        resource: 'Release',
        code: 'already_exists',
        field: 'tag_name',
      })
    }
    const created = { id: this.releases.length + 1, tag, title, notes }
    this.releases.push(created)
    return Response.json(this.#releaseJson(created), { status: 201 })
  }

  updateRelease({ params: [id], body }: FakeRequest): unknown {
    const found = this.releases.find((each) => each.id === Number(id))
    if (!found) throw notFound()
    const { name, body: notes } = body as Record<string, string>
    Object.assign(found, { title: name, notes })
    return this.#releaseJson(found)
  }

  #releaseJson({ id, tag, title, notes }: Release) {
    const url = `${SITE}/${this.repository}/releases/tag/${tag}`
    return {
      id,
      html_url: url,
      url: this.link(`releases/${id}`),
      tag_name: tag,
      name: title,
      body: notes,
    }
  }

  /** Returns a pull request with its current tip. An open pull request follows its branch. */
  pullNow(pull: Pull): Pull {
    const isOpen = pull.state === 'open' || pull.state === 'draft'
    const tip = isOpen ? this.git.branches.get(pull.head)?.sha : undefined
    return tip === undefined ? pull : { ...pull, sha: tip }
  }

  listPulls(request: FakeRequest): Response {
    const { query } = request
    const head = query.get('head')?.replace(/^[^:]+:/, '')
    const base = query.get('base')
    const found = this.pulls.filter(
      (each) =>
        (each.state === 'open' || each.state === 'draft') &&
        (head === undefined || each.head === head) &&
        (base === null || each.base === base)
    )
    const { items, headers } = pageOf(request, found)
    return Response.json(
      items.map((each) => this.#pullJson(each)),
      { headers }
    )
  }

  #pullJson({ number, title, body }: Pull) {
    return {
      id: number,
      number,
      title,
      body,
      state: 'open',
      html_url: `${SITE}/${this.repository}/pull/${number}`,
      url: this.link(`pulls/${number}`),
    }
  }

  openPull({ body }: FakeRequest): Response {
    const { head, base, title, body: text } = body as Record<string, string>
    const [tip, into] = [head, base].map((each) => this.git.branches.get(each)?.sha)
    const failed = (message: string) =>
      invalid('Validation Failed', { resource: 'PullRequest', code: 'custom', message })
    if (tip === undefined || into === undefined) {
      throw invalid('Validation Failed', {
        resource: 'PullRequest',
        field: tip === undefined ? 'head' : 'base',
        code: 'invalid',
      })
    }
    const isOpen = ({ state }: Pull) => state === 'open' || state === 'draft'
    if (this.pulls.some((each) => isOpen(each) && each.head === head && each.base === base)) {
      throw failed(`A pull request already exists for ${this.repository.split('/')[0]}:${head}.`)
    }
    if (this.git.reached(into).has(tip)) {
      throw failed(`No commits between ${base} and ${head}`)
    }
    const number = 1 + Math.max(0, ...this.pulls.map((each) => each.number))
    const created: Pull = {
      number,
      title,
      body: text,
      head,
      base,
      sha: tip,
      state: 'open',
      author: 'tarmac[bot]',
      mergedAt: null,
    }
    this.pulls.push(created)
    return Response.json(this.#pullJson(created), { status: 201 })
  }

  mergePull({ params: [number], body }: FakeRequest): unknown {
    const stored = this.pulls.find((each) => each.number === Number(number))
    if (!stored) throw notFound()
    const pull = this.pullNow(stored)
    const { sha, merge_method: method = 'merge' } = body as Record<string, string>
    if (pull.state !== 'open') throw new Refusal(405, 'Pull Request is not mergeable')
    if (sha !== undefined && sha !== pull.sha) {
      throw new Refusal(409, 'Head branch was modified. Review and try the merge again.')
    }
    const into = this.git.branches.get(pull.base)!
    const own = this.statuses.findLast((each) => each.sha === pull.sha)
    if (into.protected && own?.state !== 'success') {
      throw new Refusal(405, 'Required status check "build" is expected.')
    }
    const tree = this.git.merged(into.sha, pull.sha)
    if (tree === null) throw new Refusal(405, 'Pull Request is not mergeable')
    const created = this.git.commit({
      message: `${pull.title} (#${number})`,
      tree,
      parents: method === 'merge' ? [into.sha, pull.sha] : [into.sha],
      author: this.me,
      committer: this.me,
    })
    into.sha = created.sha
    Object.assign(stored, { state: 'merged', sha: pull.sha, mergedAt: this.now() })
    return { sha: created.sha, merged: true, message: 'Pull Request successfully merged' }
  }

  listHooks(asked: FakeRequest): unknown {
    return pageOf(asked, this.hooks).items.map((each) => this.#hookJson(each))
  }

  createHook({ body }: FakeRequest): Response {
    const { config, events } = body as { config: Record<string, unknown>; events: string[] }
    const refusals = [
      ...events
        .filter(
          (event) => this.hooks.filter((each) => each.events.includes(event)).length >= MAX_HOOKS
        )
        .map((event) => `The "${event}" event cannot have more than ${MAX_HOOKS} hooks`),
      ...(this.hooks.some((each) => each.config.url === config.url)
        ? ['Hook already exists on this repository']
        : []),
    ]
    if (refusals.length > 0) {
      const errors = refusals.map((message) => ({ resource: 'Hook', code: 'custom', message }))
      throw new Refusal(422, 'Validation Failed', errors)
    }
    const created = { id: (this.hooks.at(-1)?.id ?? 0) + 1, config, events }
    this.hooks.push(created)
    return Response.json(this.#hookJson(created), { status: 201 })
  }

  updateHook({ params: [id], body }: FakeRequest): unknown {
    const found = this.hooks.find((each) => each.id === Number(id))
    if (!found) throw notFound()
    Object.assign(found, body)
    return this.#hookJson(found)
  }

  deleteHook({ params: [id] }: FakeRequest): Response {
    const index = this.hooks.findIndex((each) => each.id === Number(id))
    if (index < 0) throw notFound()
    this.hooks.splice(index, 1)
    return new Response(null, { status: 204 })
  }

  #hookJson({ id, config, events }: FakeCode['hooks'][number]) {
    const shown = { ...config, secret: '********' }
    return { id, type: 'Repository', name: 'web', active: true, events, config: shown }
  }
}
