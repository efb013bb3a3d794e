import { isMergeable } from '#integrations/providers/git/capabilities/merge'
import GitVersionControl from '#integrations/providers/git/capabilities/version_control'
import type { Commit, PullRequest, VersionControl } from '#plugin-kit/capabilities/source'
import type { Mutation, Page, PluginContext } from '#plugin-kit/context'
import { isProviderError, ProviderError } from '#plugin-kit/provider_error'
import { CodeHost } from '../shared/code_host.js'

/** A merge request as the world stores it. */
interface WorldRequest {
  number: number
  title: string
  head: string
  base: string
  /** Its last known head, the time of that commit, and all commits that it adds. */
  sha: string
  at?: number
  commits: string[]
  /** The same for merges that were begun, the latest last. */
  merging?: { sha: string; at: number; commits: string[] }[]
  state: string
  openedAt: number
  author?: string
  mergedAt?: number
}

/** A merge request as git shows it now. */
interface Seen {
  /** As the world stores it; as merged, if only git knows that. */
  known: WorldRequest
  state: string
  /** The head of its branch; null if it is not open, or adds no commits. */
  tip: Commit | null
  /** The commits it would add, newest first; empty unless it is open. */
  brought: readonly Commit[]
}

/** The world's verdict on a commit. */
interface Judgement {
  checks: string
  heldBack: string | null
}

type Status = Parameters<NonNullable<VersionControl['setStatus']>>[1]

/**
 * The git host of a simulated world over a folder of real repositories. Each method calls the world
 * first, because only the world simulates outages and refusals.
 */
export default class SimulatedGitHost implements VersionControl {
  /** The context of the git plugin, which needs no token for a folder. */
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
    // The world had missed that its open request was merged, and knows it now: opening again makes
    // a new request.
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

  /** Merges the pushed head, whether or not the world knows it. */
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
      const isMergedHead =
        seen.known.sha === expectedSha || (await this.#contains(base, expectedSha))
      if (isMergedHead) return this.#merged(seen)
      throw refusal('conflict', 'pullChanged', 'The request was merged at another commit')
    }
    if ((tip?.sha ?? request.sha) !== expectedSha) {
      throw refusal('conflict', 'pullChanged', 'The branch of the request is at another commit')
    }
    if (seen.state === 'closed') throw refusal('conflict', 'pullClosed', 'It is closed')
    if (brought.length === 0) throw refusal('invalid', 'nothingToMerge', `${base} has all of it`)
    const { heldBack } = await this.#judgement(seen)
    if (heldBack !== null) throw refusal('conflict', heldBack, `${base} does not take it`)
    // Recorded before git merges: afterwards the commits of the request cannot be told apart.
    const path = 'requests/{number}/merging'
    const known = await this.#host.change<WorldRequest>(path, noted(brought), mutation, { number })
    await this.#git.mergeBranch(expectedSha, base, `${title} (#${number})`, mutation)
    return this.#merged(await this.#knownMerged(known))
  }

  async setStatus(sha: string, status: Status, mutation: Mutation): Promise<void> {
    // Refuses an unknown commit.
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

  /** Reports a merge as ended even if the world does not answer. */
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
      return ended(known, 'merged')
    } catch (error) {
      if (!isProviderError(error)) throw error
      return ended(request, 'merged')
    }
  }

  /**
   * Returns the state of an open request according to git: merged if its base contains a merge of
   * it, whatever was pushed since, or its last known commit.
   */
  async #see(request: WorldRequest): Promise<Seen> {
    const { state, head, base, sha, merging = [] } = request
    if (!isOpen(request)) return ended(request, state)
    for (const begun of merging.toReversed()) {
      if (await this.#contains(base, begun.sha)) return this.#knownMerged({ ...request, ...begun })
    }
    const hasBranch = (await this.#git.getBranch(head)) !== null
    const brought = hasBranch ? ((await this.#commitsBetween(base, head)) ?? []) : []
    if (brought.length > 0) return { known: request, state, tip: brought[0], brought }
    if (await this.#contains(base, sha)) return this.#knownMerged(request)
    return ended(request, hasBranch ? state : 'closed')
  }

  /** Returns whether a branch contains a commit; false if either is missing. */
  async #contains(branch: string, sha: string): Promise<boolean> {
    return (await this.#commitsBetween(branch, sha))?.length === 0
  }

  /** Returns the commits of one ref that another lacks, newest first; null if either is missing. */
  async #commitsBetween(base: string, head: string): Promise<readonly Commit[] | null> {
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

/** Describes a request that adds nothing more. */
const ended = (known: WorldRequest, state: string): Seen => ({
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
