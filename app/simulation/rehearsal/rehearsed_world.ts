import { HOUR } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import { declareCompliance } from '#simulated-providers/app_store_builds'
import { trigger } from '#simulated-providers/ci'
import { commitFiles, createTag, isCodeRefused, tipOf } from '#simulated-providers/repository'
import { testRunsAt } from '#simulated-providers/test_runs'
import { findWorld, lockWorld, storeWorld, timeIn } from '../queries/find_world.js'
import { appStoreOf } from '../world/app_store_answers.js'
import { versionsUntil } from '../world/arrivals.js'
import { usesIn } from '../world/audience.js'
import { performAction } from '../world/consoles.js'
import { reportStores } from '../world/report_world.js'
import { repositoryOf, type World } from '../world/world.js'
import { GitCodeRoom, OWN_WORK, WorldCodeRoom, type CodeRoom } from './code_room.js'
import type { Developers } from './developers.js'
import type { GitFolder } from './git_folder.js'
import type { RehearsedService } from './service.js'

const STEP = HOUR / 4

/** Maximum number of messages kept in the world, because all are read with every call. */
const MAX_POSTS = 100

/** Share of crashing sessions above which a version is harmful. */
const HARMFUL = 0.03

/** The world of a rehearsal, and the actions of the developers in it. */
export class RehearsedWorld implements Developers {
  #world: World | null = null
  #commits = 0

  constructor(
    private readonly service: RehearsedService,
    /** The repository and branch that commits go to; null if there is none. */
    private readonly code: { repository: string; branch: string } | null,
    /** A git repository that replaces the world's own; null for none. */
    private readonly git: GitFolder | null
  ) {}

  /** Returns where developers commit and open pull requests; null without version control. */
  codeRoom(): CodeRoom | null {
    const { code, git } = this
    if (!code) return null
    const context = {
      repository: code.repository,
      workingBranch: code.branch,
      read: () => this.now,
      change: (work: (world: World, now: number) => World) => this.change(work),
      now: () => this.service.clock.milliseconds(),
    }
    return git ? new GitCodeRoom(context, git) : new WorldCodeRoom(context)
  }

  /** The world as it was read last. */
  get now(): World {
    return this.#world!
  }

  async read(): Promise<World> {
    return (this.#world = (await findWorld(this.service.read())).state)
  }

  /** Copies the branches of the git repository into the world, for CI to build. */
  async followGit(): Promise<void> {
    const { git, code } = this
    if (!git || !code) return
    const tips = await git.tips()
    const before = repositoryOf(this.now, code.repository)
    if (JSON.stringify(before.branches) === JSON.stringify(tips)) return
    await this.change((world) => {
      const repository = { ...before, branches: tips }
      return {
        ...world,
        repositories: { ...world.repositories, [code.repository]: repository },
      }
    })
  }

  /** Deletes old messages of the world, which the chronicle has recorded. */
  async trimMessages(): Promise<void> {
    if (this.now.chat.posts.length <= MAX_POSTS) return
    await this.change((world) => {
      const posts = world.chat.posts.slice(-MAX_POSTS / 2)
      return { ...world, chat: { ...world.chat, posts } }
    })
  }

  /** Changes the world at its own time. */
  async change(work: (world: World, now: number) => World): Promise<void> {
    this.#world = await this.service.write((scope) => changeWorld(scope, work))
  }

  /**
   * Returns the state of stores, branches and test runs at an instant as a text, for comparison.
   */
  shownAt(at: number): string {
    const { repositories, tests, seed } = this.now
    // Unmerged work is not visible.
    const code = Object.values(repositories).map(({ branches }) =>
      branches.filter(({ name }) => !name.startsWith(OWN_WORK))
    )
    const tested = { seed, now: at, versions: versionsUntil(this.now, at) }
    const runs = testRunsAt(tests, tested).map(({ closed }) => closed)
    return JSON.stringify([reportStores(this.now, at), code, runs])
  }

  /**
   * Returns the first quarter of an hour after now at which the state differs, or else the limit. A
   * state never recurs, so binary search finds it.
   */
  changesAt(now: number, limit: number): number {
    const shown = this.shownAt(now)
    const isSame = (step: number) => this.shownAt(step * STEP) === shown
    let [before, after] = [Math.floor(now / STEP), Math.ceil(limit / STEP) - 1]
    if (after <= before || isSame(after)) return limit
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2)
      if (isSame(middle)) before = middle
      else after = middle
    }
    return after * STEP
  }

  /** Sessions and crashes of versions, hour by hour. */
  usesIn(from: number, to: number) {
    return usesIn(this.now, to, { from, to, version: null })
  }

  async commit(message: string): Promise<string | null> {
    if (this.git) return this.git.commit(message)
    if (!this.code) return null
    const { repository: name, branch } = this.code
    let sha: string | null = null
    const key = `rehearsal-${++this.#commits}`
    await this.change((world, now) => {
      const repository = repositoryOf(world, name)
      const commit = { seed: world.seed, now, branch, message, author: 'Ada', key }
      const files = [{ path: `${key}.txt`, text: `${message}\n` }]
      const made = commitFiles(repository, commit, files)
      if (isCodeRefused(made)) return world
      sha = made.made.sha
      return { ...world, repositories: { ...world.repositories, [name]: made.repository } }
    })
    return sha
  }

  /**
   * Tags the current code, for changes that start from a released version. Does nothing without
   * code.
   */
  async tag(name: string): Promise<void> {
    if (!this.code || this.git) return
    const { repository: repositoryName, branch } = this.code
    await this.change((world, now) => {
      const repository = repositoryOf(world, repositoryName)
      const sha = tipOf(repository, branch)
      const made = sha === null ? null : createTag(repository, now, { name, sha })
      if (made === null || isCodeRefused(made)) return world
      return {
        ...world,
        repositories: { ...world.repositories, [repositoryName]: made.repository },
      }
    })
  }

  async build(branch: string): Promise<string | null> {
    const workflowId = this.now.ci.workflows[0].id
    await this.change((world, now) => {
      const repository = this.code && repositoryOf(world, this.code.repository)
      const sha = (repository && tipOf(repository, branch)) ?? undefined
      return { ...world, ci: trigger(world.ci, world.seed, now, { workflowId, branch, sha }).ci }
    })
    return `has ${branch} built`
  }

  async declareCompliance(): Promise<string> {
    await this.change((world, now) => {
      const declared = Object.keys(world.appStores).map((id) => [
        id,
        declareCompliance(appStoreOf(world, id, now)),
      ])
      return { ...world, appStores: Object.fromEntries(declared) }
    })
    return 'declares the export compliance of the builds in the App Store'
  }

  async giveToTesters(): Promise<string> {
    await this.change((world, at) =>
      (['apple', 'google'] as const).reduce((before, store) => {
        const action = { store, deed: 'givesToTesters', at, when: null }
        return performAction(before, action, at)
      }, world)
    )
    return 'gives the newest build to the testers in the store'
  }

  async sendForReview(): Promise<string> {
    await this.#inPlayConsole('sends')
    return 'sends the changes in Google Play for review'
  }

  async publish(): Promise<string> {
    await this.#inPlayConsole('publishes')
    return 'publishes the approved changes in Google Play'
  }

  #inPlayConsole(action: string): Promise<void> {
    return this.change((world, at) =>
      performAction(world, { store: 'google', deed: action, at, when: null }, at)
    )
  }

  get failing(): number {
    return this.now.tests.byHand
  }

  builtSince(at: number): boolean {
    const now = this.service.clock.milliseconds()
    return this.now.ci.runs.some(
      ({ endsAt, ending, queuedAt }) =>
        (now < endsAt || ending === 'succeeded') && Math.max(queuedAt, endsAt) > at
    )
  }

  isHarmful(version: string): boolean {
    const now = this.service.clock.milliseconds()
    const uses = usesIn(this.now, now, { from: now - 24 * HOUR, to: now, version })
    const sum = (count: (use: (typeof uses)[number]) => number) =>
      uses.reduce((total, use) => total + count(use), 0)
    const sessions = sum((use) => use.sessions)
    return sessions > 0 && sum((use) => use.crashed) / sessions > HARMFUL
  }
}

async function changeWorld(scope: Scope, work: (world: World, now: number) => World) {
  const row = await lockWorld(scope)
  const state = work(row.state, timeIn(row, scope))
  await storeWorld(scope, row.id, { state })
  return state
}
