import { isMergeable } from '#integrations/providers/git/capabilities/merge'
import GitVersionControl from '#integrations/providers/git/capabilities/version_control'
import type { Commit, PullRequest, VersionControl } from '#plugin-kit/capabilities/source'
import type { Mutation, Page, PluginContext } from '#plugin-kit/context'
import { isProviderError, ProviderError } from '#plugin-kit/provider_error'
import { CodeHost } from '../shared/code_host.js'

/** A request as the world keeps it. */
interface WorldRequest {
  number: number
  title: string
  head: string
  base: string
  /** The last commit that is known of it, when it was made, and all that it brings. */
  sha: string
  at?: number
  commits: string[]
  /** The same of merges that were begun, the last at the end. */
  merging?: { sha: string; at: number; commits: string[] }[]
  state: string
  openedAt: number
  author?: string
  mergedAt?: number
}

/** A request as git has it by now. */
interface Seen {
  /** As the world keeps it, or as it was merged though the world does not know. */
  known: WorldRequest
  state: string
  /** The newest commit of its branch; null for one that is not open, or has none of its own. */
  tip: Commit | null
  /** The commits it would bring, newest first; empty unless it is open. */
  brought: readonly Commit[]
}

/** The world's verdict on a commit. */
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
  readonly #host: CodeHost

  constructor(ctx: PluginContext) {
    const connection = { baseUrl: ctx.connection.baseUrl }
    this.#ofGit = { ...ctx, connection, secret: () => undefined }
    this.#git = new GitVersionControl(this.#ofGit)
    this.#host = new CodeHost(ctx, 'hosted')
  }

  async getBranch(name: string) {
    return (await this.#code()).getBranch(name)
  }

  async createBranch(...given: Parameters<VersionControl['createBranch']>) {
    return (await this.#code()).createBranch(...given)
  }

  async compare(base: string | null, head: string, cursor?: string) {
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

  async patchIds(shas: readonly string[]) {
    return (await this.#code()).patchIds(shas)
  }

  async cherryPick(...given: Parameters<VersionControl['cherryPick']>) {
    return (await this.#code()).cherryPick(...given)
  }

  async mergeBranch(...given: Parameters<GitVersionControl['mergeBranch']>) {
    return (await this.#code()).mergeBranch(...given)
  }

  async openPullRequest(
    head: string,
    base: string,
    title: string,
    body: string,
    mutation: Mutation
  ): Promise<PullRequest> {
    const { items } = await this.compare(base, head)
    if (items.length === 0) throw refusal('invalid', 'nothingToMerge', `${base} has all of ${head}`)
    const change = { head, base, title, body, ...noted(items) }
    const open = async () =>
      this.#see(await this.#host.change<WorldRequest>('requests', change, mutation))
    const seen = await open()
    // A request that the world considered open was merged: now it knows, and later pushes are a
    // different matter.
    return this.#pullOf(seen.state === 'merged' ? await open() : seen)
  }

  async listOpenPullRequests(): Promise<Page<PullRequest>> {
    const requests = await this.#host.all<WorldRequest>('requests')
    const pulls: PullRequest[] = []
    for (const request of requests.filter(isOpen)) {
      const seen = await this.#see(request)
      if (isOpen(seen)) pulls.push(await this.#pullOf(seen))
    }
    return { items: pulls }
  }

  async getPullRequest(number: number): Promise<PullRequest | null> {
    const request = await this.#request(number)
    return request && this.#pullOf(await this.#see(request))
  }

  async pullRequestsForCommit(commit: string): Promise<PullRequest[]> {
    const found: PullRequest[] = []
    for (const request of await this.#host.all<WorldRequest>('requests')) {
      const seen = await this.#see(request)
      const brought = isOpen(seen) ? seen.brought.map(hashOf) : seen.known.commits
      if (brought.includes(commit)) found.push(await this.#pullOf(seen))
    }
    return found
  }

  /** Merges what was pushed, whether or not the world heard of it. */
  async mergePullRequest(
    number: number,
    how: 'merge' | 'squash' | 'rebase',
    expectedSha: string,
    mutation: Mutation
  ): Promise<PullRequest> {
    if (how !== 'merge') throw refusal('unsupported', 'how', `The host merges, and does not ${how}`)
    const request = await this.#request(number)
    if (!request) throw refusal('notFound', 'pullUnknown', `There is no request ${number}`)
    const seen = await this.#see(request)
    const { tip, brought } = seen
    const { base, title } = request
    if (seen.state === 'merged') {
      const isIt = seen.known.sha === expectedSha || (await this.#isIn(base, expectedSha))
      if (isIt) return this.#merged(seen)
      throw refusal('conflict', 'pullChanged', 'The request was merged at another commit')
    }
    if ((tip?.sha ?? request.sha) !== expectedSha) {
      throw refusal('conflict', 'pullChanged', 'The branch of the request is at another commit')
    }
    if (seen.state === 'closed') throw refusal('conflict', 'pullClosed', 'It is closed')
    if (brought.length === 0) throw refusal('invalid', 'nothingToMerge', `${base} has all of it`)
    const { heldBack } = await this.#judgement(seen)
    if (heldBack !== null) throw refusal('conflict', heldBack, `${base} does not take it`)
    // Recorded before git does it: afterwards nobody could distinguish the commits of the request.
    const path = 'requests/{number}/merging'
    const known = await this.#host.change<WorldRequest>(path, noted(brought), mutation, { number })
    await this.#git.mergeBranch(expectedSha, base, `${title} (#${number})`, mutation)
    return this.#merged(await this.#knownMerged(known))
  }

  async setStatus(sha: string, status: Status, mutation: Mutation): Promise<void> {
    // A commit that is not there is refused.
    await this.compare(sha, sha)
    await this.#host.change('statuses', { sha, ...status }, mutation)
  }

  async #code(): Promise<GitVersionControl> {
    await this.#host.read('access')
    return this.#git
  }

  #request(number: number): Promise<WorldRequest | null> {
    return this.#host.found<WorldRequest>('requests/{number}', { number })
  }

  /** Reports a merge as done even if the world does not answer. */
  async #merged(seen: Seen): Promise<PullRequest> {
    try {
      return await this.#pullOf(seen)
    } catch (error) {
      if (!isProviderError(error)) throw error
      return this.#host.pullOf(reportedOf(seen, { checks: 'pending', mergeable: null }))
    }
  }

  /** Reports a merge to the world; if that fails the next reader learns it from git. */
  async #knownMerged(request: WorldRequest): Promise<Seen> {
    const { number, sha } = request
    const [path, mutation] = ['requests/{number}/merged', { idempotencyKey: `merged ${number}` }]
    try {
      const known = await this.#host.change<WorldRequest>(path, { sha }, mutation, { number })
      return done(known, 'merged')
    } catch (error) {
      if (!isProviderError(error)) throw error
      return done(request, 'merged')
    }
  }

  /**
   * Returns the state of an open request according to git: merged if its base contains a merge of
   * it, whatever was pushed since, or its last known commit.
   */
  async #see(request: WorldRequest): Promise<Seen> {
    const { state, head, base, sha, merging = [] } = request
    if (!isOpen(request)) return done(request, state)
    for (const begun of merging.toReversed()) {
      if (await this.#isIn(base, begun.sha)) return this.#knownMerged({ ...request, ...begun })
    }
    const isThere = (await this.#git.getBranch(head)) !== null
    const brought = isThere ? ((await this.#between(base, head)) ?? []) : []
    if (brought.length > 0) return { known: request, state, tip: brought[0], brought }
    if (await this.#isIn(base, sha)) return this.#knownMerged(request)
    return done(request, isThere ? state : 'closed')
  }

  /** Returns whether a branch contains a commit; false if either is missing. */
  async #isIn(branch: string, sha: string): Promise<boolean> {
    return (await this.#between(branch, sha))?.length === 0
  }

  /** Returns the commits of one ref that another lacks, newest first; null if either is missing. */
  async #between(base: string, head: string): Promise<readonly Commit[] | null> {
    try {
      return (await this.#git.compare(base, head)).items
    } catch (error) {
      if (isProviderError(error) && error.code === 'notFound') return null
      throw error
    }
  }

  #judgement({ known, tip }: Seen): Promise<Judgement> {
    const { base, sha, at, openedAt } = known
    const since = tip?.at ?? new Date(at ?? openedAt).toISOString()
    return this.#host.read<Judgement>('judgement', { sha: tip?.sha ?? sha, since, base })
  }

  async #pullOf(seen: Seen): Promise<PullRequest> {
    const { checks } = await this.#judgement(seen)
    const { head: from, base: into } = seen.known
    const mergeable = seen.tip ? await isMergeable(this.#ofGit, { from, into }) : null
    return this.#host.pullOf(reportedOf(seen, { checks, mergeable }))
  }
}

function reportedOf(
  { known, state, tip }: Seen,
  { checks, mergeable }: { checks: string; mergeable: boolean | null }
) {
  const { number, title, head, base, sha, author, mergedAt } = known
  const more = {
    ...(author === undefined ? {} : { author }),
    ...(mergedAt === undefined ? {} : { mergedAt }),
  }
  return { number, title, head, base, sha: tip?.sha ?? sha, state, checks, mergeable, ...more }
}

/** A request that brings nothing more. */
const done = (known: WorldRequest, state: string): Seen => ({
  known,
  state,
  tip: null,
  brought: [],
})

const isOpen = ({ state }: { state: string }) => state === 'open' || state === 'draft'

const hashOf = ({ sha }: Commit) => sha

/** Returns the data that the world stores of a request's commits, newest first. */
const noted = (brought: readonly Commit[]) => ({
  sha: brought[0].sha,
  at: Date.parse(brought[0].at),
  commits: brought.map(hashOf),
})

const refusal = (
  code: 'invalid' | 'conflict' | 'notFound' | 'unsupported',
  reason: string,
  message: string
) => new ProviderError(code, message, { outcome: 'notApplied', reason })
