import {
  beginMerge,
  markMerged,
  NO_REQUESTS,
  openRequest,
} from '#simulated-providers/hosted_requests'
import {
  checksOf,
  holdsBack,
  judgedAt,
  mergePull,
  openPull,
  reviewOf,
  type Checks,
  type Judged,
  type Review,
} from '#simulated-providers/pulls'
import { commitFiles, createBranch, isCodeRefused, tipOf } from '#simulated-providers/repository'
import { repositoryOf, type World } from '../world/world.js'
import type { GitFolder } from './git_folder.js'

/** A change that somebody makes on a branch, and opens a merge request for. */
export interface Work {
  branch: string
  title: string
  author: string
}

/** The progress of a merge request. */
interface Progress {
  checks: Checks
  review: Review
}

/** Prefix of branches with people's own work. */
export const OWN_WORK = 'feature/'

/** The git host of a rehearsed app, where developers commit, and open and merge requests. */
export interface CodeRoom {
  /** Commits to the branch of the work, which is created from the working branch. */
  commit(work: Work, message: string): Promise<void>
  /** @returns the number of the request; null if the host refuses it */
  open(work: Work): Promise<number | null>
  progress(work: Work, number: number): Promise<Progress>
  /** @returns whether it was merged */
  merge(work: Work, number: number, by: string): Promise<boolean>
}

interface Place {
  repository: string
  workingBranch: string
  read: () => World
  change: (work: (world: World, now: number) => World) => Promise<void>
  now: () => number
}

/** Works in the repository that the world stores itself. */
export class WorldCodeRoom implements CodeRoom {
  #commits = 0

  constructor(private readonly place: Place) {}

  async commit({ branch, author }: Work, message: string): Promise<void> {
    await this.#change((repository, how) => {
      const base = tipOf(repository, this.place.workingBranch)
      const isThere = tipOf(repository, branch) !== null
      const begun = base === null || isThere ? null : createBranch(repository, branch, base)
      if (begun && isCodeRefused(begun)) return begun
      const key = `work-${++this.#commits}`
      const committing = { ...how, branch, message, author, key }
      const files = [{ path: `${key}.txt`, text: `${message}\n` }]
      return commitFiles(begun?.repository ?? repository, committing, files)
    })
  }

  async open({ branch: head, title, author }: Work): Promise<number | null> {
    const base = this.place.workingBranch
    const made = await this.#change((repository, { now }) =>
      openPull(repository, now, { head, base, title, body: '', author, key: null })
    )
    return made?.number ?? null
  }

  async progress({ branch }: Work): Promise<Progress> {
    const { seed } = this.place.read()
    const repository = this.#repository(this.place.read())
    const sha = tipOf(repository, branch) ?? ''
    const judged = judgedAt(repository, { seed, now: this.place.now() }, sha)
    const { settings } = repository
    return { checks: checksOf(settings, judged), review: reviewOf(settings, judged) }
  }

  async merge({ branch }: Work, number: number, by: string): Promise<boolean> {
    const merged = await this.#change((repository, how) => {
      const sha = tipOf(repository, branch) ?? ''
      const merging = { ...how, author: by, key: null }
      return mergePull(repository, merging, { number, sha, isSquashed: false })
    })
    return merged !== null
  }

  #repository(world: World) {
    return repositoryOf(world, this.place.repository)
  }

  /** @returns the result; null if it is refused */
  async #change<Made>(
    work: (
      repository: World['newRepository'],
      how: { seed: string; now: number }
    ) => { repository: World['newRepository']; made: Made } | { refused: unknown }
  ): Promise<Made | null> {
    const { place } = this
    let made: Made | null = null
    await place.change((world, now) => {
      const done = work(this.#repository(world), { seed: world.seed, now })
      if ('refused' in done) return world
      made = done.made
      const repositories = { ...world.repositories, [place.repository]: done.repository }
      return { ...world, repositories }
    })
    return made
  }
}

/** Works in a git repository, whose merge requests the world stores. */
export class GitCodeRoom implements CodeRoom {
  constructor(
    private readonly place: Place,
    private readonly git: GitFolder
  ) {}

  async commit({ branch, author }: Work, message: string): Promise<void> {
    await this.git.commitOn(branch, message, author)
  }

  async open({ branch: head, title, author }: Work): Promise<number | null> {
    const brought = await this.#brought(head)
    let number: number | null = null
    await this.#change((hosted, now) => {
      const texts = { head, base: this.place.workingBranch, title, body: '', author, key: null }
      const opened = openRequest(hosted, now, { ...texts, ...brought })
      number = opened.request.number
      return opened.hosted
    })
    return number
  }

  async progress({ branch }: Work): Promise<Progress> {
    const judged = this.#judged(await this.#brought(branch))
    const { settings } = this.place.read().newRepository
    return { checks: checksOf(settings, judged), review: reviewOf(settings, judged) }
  }

  async merge({ branch, title }: Work, number: number, by: string): Promise<boolean> {
    const brought = await this.#brought(branch)
    const { settings } = this.place.read().newRepository
    if (holdsBack(settings, this.place.workingBranch, this.#judged(brought))) return false
    if (!(await this.git.merge(branch, `${title} (#${number})`, by))) return false
    await this.#change((hosted, now) => {
      const found = hosted.requests.find((each) => each.number === number)!
      const { hosted: begun, request } = beginMerge(hosted, found, brought)
      return markMerged(begun, request, { now, sha: brought.sha }).hosted
    })
    return true
  }

  #judged({ sha, at: since }: { sha: string; at: number }): Judged {
    const world = this.place.read()
    const { statuses } = this.#hosted(world)
    return { seed: world.seed, now: this.place.now(), sha, since, statuses }
  }

  #hosted(world: World) {
    return world.hosted[this.place.repository] ?? NO_REQUESTS
  }

  async #brought(branch: string) {
    const commits = await this.git.ahead(branch)
    return { ...commits[0], commits: commits.map(({ sha }) => sha) }
  }

  #change(work: (hosted: World['hosted'][string], now: number) => World['hosted'][string]) {
    return this.place.change((world, now) => ({
      ...world,
      hosted: { ...world.hosted, [this.place.repository]: work(this.#hosted(world), now) },
    }))
  }
}
