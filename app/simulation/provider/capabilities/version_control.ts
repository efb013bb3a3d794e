import type { Commit, PullRequest, Tag, VersionControl } from '#plugin-kit/capabilities/source'
import type { Mutation, Page, PluginContext, Ref } from '#plugin-kit/context'
import { isProviderError, ProviderError } from '#plugin-kit/provider_error'
import { observed, pageOf } from '../shared/world_pages.js'

interface WorldPull {
  number: number
  title: string
  head: string
  base: string
  sha: string
  state: string
  checks: string
  mergeable: boolean | null
}

/** A change that was refused because of what is there. */
interface InTheWay {
  code: string
  message: string
  files?: string[]
}

/** States of requests, and of their checks, in our words. */
export const STATES = { draft: 'draft', open: 'open', merged: 'merged', closed: 'closed' } as const
export const CHECKS = { pending: 'pending', passing: 'passing', failing: 'failing' } as const

/** The git host of a simulated world: commits, and requests to merge with their checks. */
export default class SimulatedVersionControl implements VersionControl {
  constructor(private readonly ctx: PluginContext) {}

  getBranch(name: string) {
    const path = 'branches/{name}'
    return this.#found<{ name: string; sha: string; protected: boolean }>(path, { name })
  }

  createBranch(name: string, sha: string, mutation: Mutation) {
    return this.#change<{ name: string; sha: string }>('branches', { name, sha }, mutation)
  }

  async compare(base: string, head: string, cursor?: string) {
    type Compared = Page<Commit> & { ahead: number; behind: number }
    const at = { ...this.#at('compare'), query: { base, head, cursor } }
    return (await pageOf<Commit>(this.ctx, at)) as Compared
  }

  listTags(prefix: string, cursor?: string): Promise<Page<Tag>> {
    return pageOf<Tag>(this.ctx, { ...this.#at('tags'), query: { prefix, cursor } })
  }

  createTag(name: string, sha: string, message: string, mutation: Mutation): Promise<Ref> {
    return this.#change<Ref>('tags', { name, sha, message }, mutation)
  }

  createRelease(tag: string, title: string, notes: string, mutation: Mutation): Promise<Ref> {
    return this.#change<Ref>('releases', { tag, title, notes }, mutation)
  }

  async readFile(path: string, ref: string): Promise<{ text: string; sha: string } | null> {
    const { body } = await this.ctx.http.send<{ file: { text: string; sha: string } | null }>({
      method: 'GET',
      ...this.#at('files'),
      query: { path, ref },
    })
    return body.file
  }

  commitFiles(
    branch: string,
    files: { path: string; text: string; replaces?: string }[],
    message: string,
    mutation: Mutation
  ): Promise<Commit> {
    return this.#change<Commit>('commits', { branch, files, message }, mutation)
  }

  mergeBranch(from: string, into: string, message: string, mutation: Mutation) {
    const change = { from, into, message }
    return this.#change<{ sha: string; isMerged: boolean }>('merges', change, mutation)
  }

  cherryPick(sha: string, onto: string, branch: string, mutation: Mutation) {
    const change = { sha, onto, branch }
    return this.#change<{ sha: string; branch: string }>('picks', change, mutation)
  }

  async openPullRequest(
    head: string,
    base: string,
    title: string,
    body: string,
    mutation: Mutation
  ): Promise<PullRequest> {
    const change = { head, base, title, body }
    return this.#pullOf(await this.#change<WorldPull>('pulls', change, mutation))
  }

  async listOpenPullRequests(cursor?: string): Promise<Page<PullRequest>> {
    const at = { ...this.#at('pulls'), query: { cursor } }
    const page = await pageOf<WorldPull>(this.ctx, at)
    return { ...page, items: page.items.map((pull) => this.#pullOf(pull)) }
  }

  async setStatus(
    sha: string,
    status: Parameters<NonNullable<VersionControl['setStatus']>>[1],
    mutation: Mutation
  ): Promise<void> {
    await this.#change('statuses', { sha, ...status }, mutation)
  }

  async getPullRequest(number: number): Promise<PullRequest | null> {
    const found = await this.#found<WorldPull>('pulls/{number}', { number })
    return found && this.#pullOf(found)
  }

  async pullRequestsForCommit(commit: string): Promise<PullRequest[]> {
    const page = await pageOf<WorldPull>(this.ctx, { ...this.#at('pulls'), query: { commit } })
    return page.items.map((pull) => this.#pullOf(pull))
  }

  async mergePullRequest(
    number: number,
    how: 'merge' | 'squash' | 'rebase',
    sha: string,
    mutation: Mutation
  ): Promise<PullRequest> {
    const change = { how, sha }
    const merged = await this.#change<WorldPull>('pulls/{number}/merge', change, mutation, {
      number,
    })
    return this.#pullOf(merged)
  }

  async #found<Body>(path: string, params: Record<string, string | number>): Promise<Body | null> {
    try {
      const at = this.#at(path, params)
      return (await this.ctx.http.send<Body>({ method: 'GET', ...at })).body
    } catch (error) {
      if (isProviderError(error) && error.code === 'notFound') return null
      throw error
    }
  }

  /** A change that happens once for its key; files in its way are told with their paths. */
  async #change<Body>(
    path: string,
    json: object,
    { idempotencyKey }: Mutation,
    params: Record<string, string | number> = {}
  ): Promise<Body> {
    const { status, body } = await this.ctx.http.send<Body | InTheWay>({
      method: 'POST',
      ...this.#at(path, params),
      json,
      headers: { 'idempotency-key': idempotencyKey },
      idempotent: true,
      expect: [409],
    })
    if (status !== 409) return body as Body
    const { code, message, files = [] } = body as InTheWay
    const fields = files.map((file) => ({ path: file, message: 'It was changed on both sides' }))
    throw new ProviderError('conflict', message, {
      outcome: 'notApplied',
      status,
      reason: code === 'fileChanged' ? 'changed' : code,
      ...(fields.length === 0 ? {} : { fields }),
    })
  }

  #at(path: string, params: Record<string, string | number> = {}) {
    const repo = String(this.ctx.data.repoName ?? '')
    return { path: `/v1/code/{repo}/${path}`, params: { repo, ...params } }
  }

  #pullOf({ state, checks, ...pull }: WorldPull): PullRequest {
    return {
      id: String(pull.number),
      ...pull,
      status: observed(this.ctx, STATES, state),
      checks: observed(this.ctx, CHECKS, checks),
    }
  }
}
