import type {
  Commit,
  PullRequest,
  ResolvedFile,
  Tag,
  VersionControl,
} from '#plugin-kit/capabilities/source'
import type { Mutation, Page, PluginContext, Ref } from '#plugin-kit/context'
import { CodeHost, type ReportedPull } from '../shared/code_host.js'

/** Maximum number of commits in one URL. */
const MAX_SHAS = 50

/** The git host of a simulated world: commits, and pull requests with their checks. */
export default class SimulatedVersionControl implements VersionControl {
  readonly #host: CodeHost

  constructor(ctx: PluginContext) {
    this.#host = new CodeHost(ctx, 'code')
  }

  getBranch(name: string) {
    const path = 'branches/{name}'
    return this.#host.found<{ name: string; sha: string; protected: boolean }>(path, { name })
  }

  createBranch(name: string, sha: string, mutation: Mutation) {
    return this.#host.change<{ name: string; sha: string }>('branches', { name, sha }, mutation)
  }

  async compare(base: string | null, head: string, cursor?: string) {
    type Compared = Page<Commit> & { ahead: number; behind: number }
    return (await this.#host.page<Commit>('compare', {
      ...(base !== null && { base }),
      ...{ head, cursor },
    })) as Compared
  }

  listTags(prefix: string, cursor?: string): Promise<Page<Tag>> {
    return this.#host.page<Tag>('tags', { prefix, cursor })
  }

  createTag(name: string, sha: string, message: string, mutation: Mutation): Promise<Ref> {
    return this.#host.change<Ref>('tags', { name, sha, message }, mutation)
  }

  createRelease(tag: string, title: string, notes: string, mutation: Mutation): Promise<Ref> {
    return this.#host.change<Ref>('releases', { tag, title, notes }, mutation)
  }

  async readFile(path: string, ref: string): Promise<{ text: string; sha: string } | null> {
    type Read = { file: { text: string; sha: string } | null }
    return (await this.#host.read<Read>('files', { path, ref })).file
  }

  commitFiles(
    branch: string,
    files: { path: string; text: string; replaces?: string }[],
    message: string,
    mutation: Mutation
  ): Promise<Commit> {
    return this.#host.change<Commit>('commits', { branch, files, message }, mutation)
  }

  mergeBranch(
    from: string,
    into: string,
    message: string,
    mutation: Mutation,
    resolved: readonly ResolvedFile[] = []
  ) {
    const change = { from, into, message, resolved }
    return this.#host.change<{ sha: string; isMerged: boolean }>('merges', change, mutation)
  }

  async patchIds(shas: readonly string[]): Promise<Record<string, string>> {
    const found: Record<string, string> = {}
    for (let from = 0; from < shas.length; from += MAX_SHAS) {
      const batch = shas.slice(from, from + MAX_SHAS)
      const query = { shas: batch.join(',') }
      Object.assign(found, await this.#host.read<Record<string, string>>('patches', query))
    }
    return found
  }

  cherryPick(sha: string, onto: string, branch: string, mutation: Mutation) {
    const change = { sha, onto, branch }
    return this.#host.change<{ sha: string; branch: string }>('picks', change, mutation)
  }

  async openPullRequest(
    head: string,
    base: string,
    title: string,
    body: string,
    mutation: Mutation
  ): Promise<PullRequest> {
    const change = { head, base, title, body }
    return this.#host.pullOf(await this.#host.change<ReportedPull>('pulls', change, mutation))
  }

  async listOpenPullRequests(cursor?: string): Promise<Page<PullRequest>> {
    const page = await this.#host.page<ReportedPull>('pulls', { cursor })
    return { ...page, items: page.items.map((pull) => this.#host.pullOf(pull)) }
  }

  async setStatus(
    sha: string,
    status: Parameters<NonNullable<VersionControl['setStatus']>>[1],
    mutation: Mutation
  ): Promise<void> {
    await this.#host.change('statuses', { sha, ...status }, mutation)
  }

  async getPullRequest(number: number): Promise<PullRequest | null> {
    const found = await this.#host.found<ReportedPull>('pulls/{number}', { number })
    return found && this.#host.pullOf(found)
  }

  async pullRequestsForCommit(commit: string): Promise<PullRequest[]> {
    const page = await this.#host.page<ReportedPull>('pulls', { commit })
    return page.items.map((pull) => this.#host.pullOf(pull))
  }

  async mergePullRequest(
    number: number,
    method: 'merge' | 'squash' | 'rebase',
    sha: string,
    mutation: Mutation
  ): Promise<PullRequest> {
    const path = 'pulls/{number}/merge'
    return this.#host.pullOf(
      await this.#host.change<ReportedPull>(path, { how: method, sha }, mutation, { number })
    )
  }
}
