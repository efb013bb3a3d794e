import { isMergeable } from '#integrations/providers/git/capabilities/merge'
import GitVersionControl from '#integrations/providers/git/capabilities/version_control'
import type { Commit, PullRequest, VersionControl } from '#plugin-kit/capabilities/source'
import type { Mutation, Page, PluginContext } from '#plugin-kit/context'
import { isProviderError, ProviderError } from '#plugin-kit/provider_error'
import { CHECKS, STATES } from '../capabilities/version_control.js'
import { changed } from '../shared/changed.js'
import { allOf, observed } from '../shared/world_pages.js'

/** A request as the world keeps it. */
interface WorldRequest {
  number: number
  title: string
  head: string
  base: string
  sha: string
  state: string
  commits: string[]
}

/** What the world says of a commit. */
interface Judgement {
  checks: string
  heldBack: string | null
}

type Status = Parameters<NonNullable<VersionControl['setStatus']>>[1]

/**
 * The git host of a simulated world over a folder of real repositories. The host is asked first
 * whatever is done, as git in a folder is never away and refuses nobody.
 */
export default class SimulatedGitHost implements VersionControl {
  /** As git in a folder knows it, which needs no token. */
  readonly #ofGit: PluginContext
  readonly #git: GitVersionControl

  constructor(private readonly ctx: PluginContext) {
    const connection = { baseUrl: ctx.connection.baseUrl }
    this.#ofGit = { ...ctx, connection, secret: () => undefined }
    this.#git = new GitVersionControl(this.#ofGit)
  }

  async getBranch(name: string) {
    return (await this.#code()).getBranch(name)
  }

  async createBranch(...given: Parameters<VersionControl['createBranch']>) {
    return (await this.#code()).createBranch(...given)
  }

  async compare(base: string, head: string, cursor?: string) {
    return (await this.#code()).compare(base, head, cursor)
  }

  async listTags(prefix: string, cursor?: string) {
    return (await this.#code()).listTags(prefix, cursor)
  }

  async createTag(...given: Parameters<VersionControl['createTag']>) {
    return (await this.#code()).createTag(...given)
  }

  async readFile(path: string, ref: string) {
    return (await this.#code()).readFile(path, ref)
  }

  async commitFiles(...given: Parameters<VersionControl['commitFiles']>) {
    return (await this.#code()).commitFiles(...given)
  }

  async cherryPick(...given: Parameters<VersionControl['cherryPick']>) {
    return (await this.#code()).cherryPick(...given)
  }

  async mergeBranch(from: string, into: string, message: string, mutation: Mutation) {
    return (await this.#code()).mergeBranch(from, into, message, mutation)
  }

  async openPullRequest(
    head: string,
    base: string,
    title: string,
    body: string,
    mutation: Mutation
  ): Promise<PullRequest> {
    const { items } = await this.compare(base, head)
    const [tip] = items
    if (!tip) throw refusal('invalid', 'nothingToMerge', `${base} has all of ${head}`)
    const change = { ...this.#at('requests'), json: { head, base, title, body, sha: tip.sha } }
    return this.#pullOf(await changed<WorldRequest>(this.ctx, mutation, change))
  }

  async listOpenPullRequests(): Promise<Page<PullRequest>> {
    const pulls = await this.#all(({ state }) => state === 'open' || state === 'draft')
    return { items: pulls.filter(({ status }) => status.raw !== 'closed') }
  }

  async getPullRequest(number: number): Promise<PullRequest | null> {
    const request = await this.#request(number)
    return request && this.#pullOf(request)
  }

  async pullRequestsForCommit(commit: string): Promise<PullRequest[]> {
    const requests = await allOf<WorldRequest>(this.ctx, this.#at('requests'))
    const found: PullRequest[] = []
    for (const request of requests) {
      const brought =
        request.state === 'merged' ? request.commits : (await this.#brings(request)).map(hashOf)
      if (brought.includes(commit)) found.push(await this.#pullOf(request))
    }
    return found
  }

  async mergePullRequest(
    number: number,
    how: 'merge' | 'squash' | 'rebase',
    expectedSha: string,
    mutation: Mutation
  ): Promise<PullRequest> {
    if (how !== 'merge') throw refusal('unsupported', 'how', `The host merges, and does not ${how}`)
    const request = await this.#request(number)
    if (!request) throw refusal('notFound', 'pullUnknown', `There is no request ${number}`)
    const pull = await this.#pullOf(request)
    if (pull.status.raw === 'merged') return pull
    if (pull.sha !== expectedSha) {
      throw refusal('conflict', 'pullChanged', 'The branch of the request is at another commit')
    }
    if (pull.status.raw === 'closed') throw refusal('conflict', 'pullClosed', 'It is closed')
    const brought = await this.#brings(request)
    const { heldBack } = await this.#judgement(request, brought)
    if (heldBack !== null) throw refusal('conflict', heldBack, `${request.base} does not take it`)
    const { head, base, title } = request
    await this.#git.mergeBranch(head, base, `${title} (#${number})`, mutation)
    const merged = await changed<WorldRequest>(this.ctx, mutation, {
      ...this.#at('requests/{number}/merged', { number }),
      json: { sha: expectedSha, commits: brought.map(hashOf) },
    })
    return this.#pullOf(merged)
  }

  async setStatus(sha: string, status: Status, mutation: Mutation): Promise<void> {
    // A commit that is not there is refused.
    await this.compare(sha, sha)
    const change = { ...this.#at('statuses'), json: { sha, ...status } }
    await changed(this.ctx, mutation, change)
  }

  async #code(): Promise<GitVersionControl> {
    await this.ctx.http.send({ method: 'GET', ...this.#at('access') })
    return this.#git
  }

  async #all(isWanted: (request: WorldRequest) => boolean): Promise<PullRequest[]> {
    const requests = await allOf<WorldRequest>(this.ctx, this.#at('requests'))
    const found: PullRequest[] = []
    for (const request of requests.filter(isWanted)) found.push(await this.#pullOf(request))
    return found
  }

  async #request(number: number): Promise<WorldRequest | null> {
    try {
      const at = this.#at('requests/{number}', { number })
      return (await this.ctx.http.send<WorldRequest>({ method: 'GET', ...at })).body
    } catch (error) {
      if (isProviderError(error) && error.code === 'notFound') return null
      throw error
    }
  }

  /** The commits that a request which is open would bring, the newest first. */
  async #brings({ base, head }: WorldRequest): Promise<Commit[]> {
    try {
      return (await this.#git.compare(base, head)).items
    } catch (error) {
      if (isProviderError(error) && error.code === 'notFound') return []
      throw error
    }
  }

  async #judgement({ base, sha }: WorldRequest, brought: readonly Commit[]): Promise<Judgement> {
    const [tip] = brought
    const query = { sha: tip?.sha ?? sha, since: tip?.at, base }
    const at = { ...this.#at('judgement'), query }
    return (await this.ctx.http.send<Judgement>({ method: 'GET', ...at })).body
  }

  /** A request as git has it by now: one whose branch is gone is closed. */
  async #pullOf(request: WorldRequest): Promise<PullRequest> {
    const { number, title, head, base } = request
    const isOpen = request.state === 'open' || request.state === 'draft'
    const tip = isOpen ? await this.#git.getBranch(head) : null
    const isGone = isOpen && tip === null
    const brought = tip ? await this.#brings(request) : []
    const { checks } = await this.#judgement(request, brought)
    return {
      id: String(number),
      ...{ number, title, head, base, sha: tip?.sha ?? request.sha },
      status: observed(this.ctx, STATES, isGone ? 'closed' : request.state),
      checks: observed(this.ctx, CHECKS, checks),
      mergeable: tip ? await isMergeable(this.#ofGit, { from: head, into: base }) : null,
    }
  }

  #at(path: string, params: Record<string, string | number> = {}) {
    const repo = String(this.ctx.data.repoName ?? '')
    return { path: `/v1/hosted/{repo}/${path}`, params: { repo, ...params } }
  }
}

const hashOf = ({ sha }: Commit) => sha

const refusal = (
  code: 'invalid' | 'conflict' | 'notFound' | 'unsupported',
  reason: string,
  message: string
) => new ProviderError(code, message, { outcome: 'notApplied', reason })
