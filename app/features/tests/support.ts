import db from '@adonisjs/lucid/services/db'
import type { TestContext } from '@japa/runner/core'
import type { FeatureAffiliation } from '#apps/settings'
import { replaceIntegrations } from '#integrations/store_integrations'
import { manifest as gitManifest } from '#integrations/providers/git/manifest'
import GitVersionControl from '#integrations/providers/git/capabilities/version_control'
import { connect } from '#integrations/tests/support/connect'
import type { PullRequest } from '#plugin-kit/capabilities/source'
import type { PluginContext } from '#plugin-kit/context'
import { definePlugin } from '#plugin-kit/plugin'
import { ProviderError, type ProviderErrorCode } from '#plugin-kit/provider_error'
import git from '#integrations/providers/git/plugin'
import { makeCode, workAway } from '#releases/tests/helpers/code_world'
import { paperPlugin } from '#tests/support/plugins/paper'
import { loadTestPlugins } from '#tests/support/plugins/index'
import { Tracker } from './tracker.js'

type Made = Awaited<ReturnType<typeof makeCode>>

/** Makes an app with a git repository, an issue tracker, and a step of feature readiness. */
export async function makeFeatures(
  cleanup: TestContext['cleanup'],
  {
    affiliations = [{ type: 'fixVersion', pattern: '{version}' }],
    additionalDoneStatuses = [],
    projects = ['SHOP'],
    otherProjects = [],
    pulls = [],
    ...options
  }: {
    affiliations?: (Pick<FeatureAffiliation, 'type' | 'pattern'> & { integration?: string })[]
    additionalDoneStatuses?: string[]
    projects?: string[]
    /** Projects of a second issue tracker, `others`. */
    otherProjects?: string[]
    /** Pull requests of the host; some may be added later. */
    pulls?: PullRequest[]
  } & Parameters<typeof makeCode>[1] = {}
) {
  const tracker = new Tracker()
  class InMemory {
    search = tracker.search
    get = tracker.get
    ensureVersion = tracker.ensureVersion
    setVersion = tracker.setVersion
    addLabels = tracker.addLabels
    releaseVersion = tracker.releaseVersion
  }
  const statuses: { sha: string; name: string; state: string }[] = []
  const pullsAsked: number[] = []
  /** Pull requests of other repositories, by the names of these. */
  const otherPulls = new Map<string, PullRequest[]>()
  /** Runs between a pick or a merge and its answer. */
  const meanwhile: Partial<Record<'picked' | 'merged', () => Promise<unknown>>> = {}
  /** Failures of the host for some of its requests. */
  const fails: {
    patches?: ProviderErrorCode
    pulls?: ProviderErrorCode
    compare?: ProviderErrorCode
  } = {}
  /** True if the host never answers. */
  const hangs = { pulls: false }
  const fail = (code: ProviderErrorCode | undefined) => {
    if (code) throw new ProviderError(code, 'It fails', { outcome: 'notApplied' })
  }
  class WithPulls extends GitVersionControl {
    readonly #pulls: PullRequest[]

    constructor(ctx: PluginContext) {
      super(ctx)
      const { repoName } = ctx.data
      this.#pulls = repoName === 'app.git' ? pulls : (otherPulls.get(String(repoName)) ?? [])
    }

    async setStatus(sha: string, status: { name: string; state: string }) {
      statuses.push({ sha, ...status })
    }

    override async compare(...given: Parameters<GitVersionControl['compare']>) {
      fail(fails.compare)
      return super.compare(...given)
    }

    override async patchIds(shas: readonly string[]) {
      fail(fails.patches)
      return super.patchIds(shas)
    }

    async listOpenPullRequests() {
      fail(fails.pulls)
      return { items: this.#pulls.filter(({ status: { state } }) => WAITS.includes(state)) }
    }

    override async cherryPick(...given: Parameters<GitVersionControl['cherryPick']>) {
      const picked = await super.cherryPick(...given)
      await meanwhile.picked?.()
      return picked
    }

    override async mergeBranch(...given: Parameters<GitVersionControl['mergeBranch']>) {
      const merged = await super.mergeBranch(...given)
      await meanwhile.merged?.()
      return merged
    }

    async getPullRequest(number: number) {
      fail(fails.pulls)
      if (hangs.pulls) return new Promise<never>(() => {})
      pullsAsked.push(number)
      return this.#pulls.find((each) => each.number === number) ?? null
    }
  }
  const paper = paperPlugin('paper', {
    issueTracking: {
      type: 'jira',
      features: ['ensureVersion', 'setVersion', 'addLabels', 'releaseVersion'],
    },
  })
  await loadTestPlugins({
    paper: async () => ({
      default: definePlugin({
        ...paper,
        capabilities: { issueTracking: async () => ({ default: InMemory as never }) },
      }),
    }),
    git: async () => ({
      default: definePlugin({
        ...git,
        manifest: {
          ...gitManifest,
          capabilities: {
            versionControl: {
              ...gitManifest.capabilities.versionControl!,
              features: [
                'mergeBranch',
                'listOpenPullRequests',
                'getPullRequest',
                'setStatus',
                'patchIds',
              ],
            },
          },
        },
        capabilities: { versionControl: async () => ({ default: WithPulls }) },
      }),
    }),
  })
  cleanup(async () => void (await loadTestPlugins()))
  const code = await makeCode(cleanup, {
    tagPattern: 'v{version}',
    steps: [
      { type: 'kickoff' },
      { type: 'featureReadiness' },
      { type: 'metadata' },
      { type: 'betaTesting' },
      { type: 'approvals' },
    ],
    ...options,
  })
  const { world, app, provider: gitConnection } = code
  const { id: provider } = await connect(world, 'paper')
  const integrate = (
    kinds: ('versionControl' | 'issueTracking')[],
    { repoName = 'app.git', of = app } = {}
  ) =>
    world.write((scope) =>
      replaceIntegrations(
        scope,
        of,
        [
          {
            key: 'code',
            type: 'git-vcs',
            kind: 'versionControl' as const,
            provider: gitConnection,
            data: { repoName } as Record<string, string | string[]>,
          },
          {
            key: 'tickets',
            type: 'jira',
            kind: 'issueTracking' as const,
            provider,
            data: { projects, additionalDoneStatuses },
          },
          {
            key: 'others',
            type: 'jira',
            kind: 'issueTracking' as const,
            provider,
            data: { projects: otherProjects } as Record<string, string | string[]>,
          },
        ].filter(
          ({ key, kind }) => kinds.includes(kind) && (key !== 'others' || otherProjects.length > 0)
        )
      )
    )
  await integrate(['versionControl', 'issueTracking'])
  const set = affiliations.map((each, index) => ({
    name: `Rule ${index}`,
    integration: 'tickets',
    ...each,
  }))
  await db
    .from('apps')
    .where('id', app)
    .update({ feature_affiliations: JSON.stringify(set) })
  return {
    ...code,
    tracker,
    pulls,
    pullsAsked,
    otherPulls,
    meanwhile,
    fails,
    hangs,
    statuses,
    integrate,
    ...lookers(code),
  }
}

function lookers({ world, admin, app, path, detail }: Made) {
  const search = async (version: string, query = '') =>
    (await admin.get(`${path(version)}/featureReadiness/search${query}`)).body.data as any[]
  return {
    /** Runs all polls that are due, and what follows from them. */
    async look() {
      await world.write((scope) => scope.jobs.pollNow())
      await workAway()
      // Tickets named in code are requested by a later job.
      await workAway()
    },
    async release(version: string) {
      const { status, text } = await admin.post(`/app/${app}/release`, { version })
      if (status !== 201) throw new Error(text)
    },
    async kickOff(version: string) {
      const { status, text } = await admin.put(`${path(version)}/kickoff`)
      if (status !== 200) throw new Error(text)
      await workAway()
      if ((await detail(version)).kickedOffAt === null) throw new Error('It is not kicked off')
    },
    search,
    /**
     * Returns items by the names that people use: the ticket’s key, the pull request or the
     * subject.
     */
    async items(version: string): Promise<Record<string, string>> {
      const found = await search(version, '?limit=200')
      return Object.fromEntries(
        found.map(({ workItem, reason }) => {
          const [first] = workItem.code
          const name =
            workItem.ticket?.key ??
            (first.type === 'commit' ? first.message.split('\n')[0] : `#${first.number}`)
          return [name, `${workItem.codeStatus} ${reason}`]
        })
      )
    },
  }
}

const WAITS: string[] = ['open', 'draft']

/** Returns a pull request that was merged or closed. */
export const overPull = (
  number: number,
  state: 'merged' | 'closed',
  given: Partial<PullRequest> = {}
): PullRequest =>
  openPull(number, {
    status: {
      state,
      raw: state,
      beganAt: '2026-11-20T00:00:00.000Z',
      observedAt: '2026-11-20T00:00:00.000Z',
      lagSeconds: 0,
    },
    ...given,
  })

/** Returns an open pull request. */
export const openPull = (number: number, given: Partial<PullRequest> = {}): PullRequest => ({
  id: String(number),
  number,
  title: `Pull ${number}`,
  head: `topic-${number}`,
  base: 'main',
  sha: '0'.repeat(40),
  status: {
    state: 'open',
    raw: 'open',
    beganAt: '2026-11-20T00:00:00.000Z',
    observedAt: '2026-11-20T00:00:00.000Z',
    lagSeconds: 0,
  },
  checks: {
    state: 'none',
    raw: '',
    beganAt: '2026-11-20T00:00:00.000Z',
    observedAt: '2026-11-20T00:00:00.000Z',
    lagSeconds: 0,
  },
  mergeable: null,
  ...given,
})
