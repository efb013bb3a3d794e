import type {
  Commit,
  PullRequest,
  ResolvedFile,
  Tag,
  VersionControl,
} from '../../capabilities/source.js'
import type { ConformanceOptions } from '../../conformance/options.js'
import type { Mutation, PluginContext } from '../../context.js'
import type { VersionControlScenario } from '../../fake/scenario.js'
import { ProviderError } from '../../provider_error.js'
import { Api, optionsOf } from './kinds_base.js'
import { SourceFake } from './source_fake.js'

type VendorPull = VersionControlScenario['pulls'][number]

/** Version control with every optional method. */
export type FullVersionControl = Required<VersionControl>
export type VersionControlClass = new (ctx: PluginContext) => FullVersionControl

const PULL_STATES = ['draft', 'open', 'merged', 'closed'] as const

const missing = (what: string) =>
  new ProviderError('notFound', `There is no ${what}`, { outcome: 'notApplied', reason: what })

export class SampleVersionControl implements FullVersionControl {
  protected readonly api: Api

  constructor(protected readonly ctx: PluginContext) {
    this.api = new Api(ctx)
  }

  getBranch(name: string) {
    const path = `branches/${encodeURIComponent(name)}`
    return this.api.get<{ name: string; sha: string; protected: boolean }>(path)
  }

  createBranch(name: string, sha: string, m: Mutation) {
    return this.api.change<{ name: string; sha: string }>(
      'branches',
      { name, sha },
      m.idempotencyKey
    )
  }

  async compare(base: string | null, head: string, cursor?: string) {
    const page = await this.api.get<{
      items: Commit[]
      next?: string
      ahead: number
      behind: number
    }>('compare', { ...(base !== null && { base }), head, cursor })
    if (!page) throw missing('branch')
    return page
  }

  listTags(prefix: string, cursor?: string) {
    return this.api.list<Tag>('tags', cursor, { prefix })
  }

  createTag(name: string, sha: string, message: string, m: Mutation) {
    return this.api.change<{ id: string }>('tags', { name, sha, message }, m.idempotencyKey)
  }

  createRelease(tag: string, title: string, notes: string, m: Mutation) {
    return this.api.change<{ id: string }>('releases', { tag, title, notes }, m.idempotencyKey)
  }

  readFile(path: string, ref: string) {
    return this.api.get<{ text: string; sha: string }>('files', { path, ref })
  }

  commitFiles(
    branch: string,
    files: { path: string; text: string; replaces?: string }[],
    message: string,
    m: Mutation
  ) {
    return this.api.change<Commit>('commits', { branch, files, message }, m.idempotencyKey)
  }

  mergeBranch(
    from: string,
    into: string,
    message: string,
    m: Mutation,
    resolved: readonly ResolvedFile[] = []
  ) {
    const change = { from, into, message, resolved }
    return this.api.change<{ sha: string; isMerged: boolean }>('merges', change, m.idempotencyKey)
  }

  cherryPick(sha: string, onto: string, branch: string, m: Mutation) {
    const change = { sha, onto, branch }
    return this.api.change<{ sha: string; branch: string }>('picks', change, m.idempotencyKey)
  }

  async openPullRequest(head: string, base: string, title: string, body: string, m: Mutation) {
    const change = { head, base, title, body }
    return this.pullOf(await this.api.change<VendorPull>('pulls', change, m.idempotencyKey))
  }

  async listOpenPullRequests(cursor?: string) {
    const { items, next } = await this.api.list<VendorPull>('pulls', cursor, { state: 'open' })
    const open = items.map((pull) => this.pullOf(pull))
    return next === undefined ? { items: open } : { items: open, next }
  }

  async setStatus(
    sha: string,
    status: { name: string; state: 'pending' | 'success' | 'failure'; description: string },
    m: Mutation
  ) {
    await this.api.change('statuses', { sha, ...status }, m.idempotencyKey)
  }

  async patchIds(shas: readonly string[]) {
    return (await this.api.get<Record<string, string>>('patches', { shas: shas.join(' ') })) ?? {}
  }

  async getPullRequest(number: number): Promise<PullRequest | null> {
    const pull = await this.api.get<VendorPull>(`pulls/${number}`)
    return pull && this.pullOf(pull)
  }

  async pullRequestsForCommit(sha: string) {
    const { items } = await this.api.list<VendorPull>('pulls', undefined, { commit: sha })
    return items.map((pull) => this.pullOf(pull))
  }

  async mergePullRequest(
    number: number,
    how: 'merge' | 'squash' | 'rebase',
    sha: string,
    m: Mutation
  ) {
    const path = `pulls/${number}/merge`
    return this.pullOf(await this.api.change<VendorPull>(path, { how, sha }, m.idempotencyKey))
  }

  protected pullOf({ state, ...pull }: VendorPull): PullRequest {
    const known = PULL_STATES.find((each) => each === state)
    const observedAt = this.ctx.now().toISOString()
    const seenAt = { beganAt: observedAt, observedAt, lagSeconds: 0 }
    return {
      id: `${pull.number}`,
      ...pull,
      status: { state: known ?? 'unknown', raw: state, ...seenAt },
      checks: { state: 'none', raw: '', ...seenAt },
      mergeable: null,
    }
  }
}

const FEATURES = [
  'createRelease',
  'mergeBranch',
  'openPullRequest',
  'listOpenPullRequests',
  'setStatus',
  'patchIds',
  'getPullRequest',
  'pullRequestsForCommit',
  'mergePullRequest',
]

/** Returns a plugin of version control, changed in one place. */
export function sourceSample({
  code = SampleVersionControl,
  fake = SourceFake,
}: { code?: VersionControlClass; fake?: new () => SourceFake } = {}): ConformanceOptions {
  const capabilities = { versionControl: async () => ({ default: code }) }
  const data = { versionControl: { repoName: 'acme/app' } }
  return optionsOf(() => new fake(), capabilities, { versionControl: FEATURES }, data)
}
