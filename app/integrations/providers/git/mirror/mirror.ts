import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { PluginContext } from '#plugin-kit/context'
import { ProviderError } from '#plugin-kit/provider_error'
import { GitFailure, protocolError } from '../program/failures.js'
import type { Finished, Running } from '../program/git_program.js'
import { versionOf } from '../remote/folder_version.js'
import { Remote, type Pushed, type RefChange } from '../remote/remote.js'
import { requireCopy, placeOf, removeCopy } from './copies.js'
import { withFileLock } from './file_lock.js'

/** Packs after which a mirror is packed anew; each fetch may add one. */
const MAX_PACKS = 50

/**
 * The state of a folder that each mirror was fetched from, and the state of the mirror after it.
 */
const lastFetches = new Map<string, LastFetch>()
const MAX_FETCHES = 500
const MAX_NAMES = 5000

interface LastFetch {
  from: string
  mirror: string
  /** The commits of names that were resolved since, which stay while the mirror does. */
  commits: Map<string, string>
}

/**
 * A bare mirror of one repository: its branches and tags as they are now, and nothing of its
 * configuration. All that is read of a repository is read here, and what it is given is made here.
 */
export class Mirror {
  #hasPushed = false
  /** The commits of names, as long as the mirror is known to be as it was. */
  #known = new Map<string, string>()

  private constructor(
    readonly remote: Remote,
    private readonly folder: string
  ) {}

  /**
   * Works with a mirror that nobody else uses meanwhile. One that is not there is copied first; a
   * broken one is thrown away, copied anew, and the work done once more.
   * @throws ProviderError; `unavailable` with the reason `preparing` while it is being copied
   */
  static async use<Result>(
    ctx: PluginContext,
    work: (mirror: Mirror) => Promise<Result>
  ): Promise<Result> {
    const remote = await Remote.open(ctx, ctx.data.repoName)
    try {
      const place = await placeOf(ctx, remote.address)
      const mirror = new Mirror(remote, place.folder)
      for (let isAgain = false; ; isAgain = true) {
        await requireCopy(ctx, place)
        try {
          return await withFileLock(place.lock, ctx.signal, () => work(mirror))
        } catch (error) {
          if (!(error instanceof GitFailure) || ctx.signal.aborted || isAgain) {
            throw mirror.#reported(error)
          }
          ctx.log.warn({ failure: error.message }, 'a mirror is made anew')
          await withFileLock(place.lock, ctx.signal, () => removeCopy(place))
          mirror.#known = new Map()
        }
      }
    } finally {
      await remote.close()
    }
  }

  /**
   * Brings the mirror up to date; a remote that does not answer is an error, never an old answer.
   * A folder in which nothing was changed since needs no git for that.
   * @throws GitFailure when the mirror may be broken, ProviderError
   */
  async fetch(): Promise<void> {
    const from = await this.remote.version()
    const last = lastFetches.get(this.folder)
    if (last && last.from === from && last.mirror === (await versionOf(this.folder))?.text) {
      if (last.commits.size > MAX_NAMES) last.commits.clear()
      this.#known = last.commits
      return
    }
    await this.remote.fetchInto(this.folder)
    await this.#tidy()
    const mirror = from === null ? null : await versionOf(this.folder)
    if (lastFetches.size >= MAX_FETCHES) lastFetches.clear()
    this.#known = new Map()
    if (from === null || mirror === null) lastFetches.delete(this.folder)
    else lastFetches.set(this.folder, { from, mirror: mirror.text, commits: this.#known })
  }

  /** Runs git in the mirror. @throws GitFailure, ProviderError */
  run(args: readonly string[], running: Running = {}): Promise<Finished> {
    return this.remote.git.run(args, this.#within(running))
  }

  /** Returns what the program prints as one line. */
  async line(args: readonly string[], running: Running = {}): Promise<string> {
    const { stdout } = await this.run(args, running)
    return stdout.toString('utf8').trim()
  }

  /** Yields the fields of what the program prints, one by one. @throws GitFailure, ProviderError */
  fields(args: readonly string[], running: Running = {}): AsyncGenerator<Buffer> {
    return this.remote.git.fields(args, this.#within(running))
  }

  /** Changes a ref of the remote. @throws ProviderError */
  async push(change: RefChange): Promise<Pushed> {
    const pushed = await this.remote.push(this.folder, change)
    this.#hasPushed ||= pushed === 'done'
    return pushed
  }

  /** Returns a path inside of the mirror that nobody else uses. */
  path(name: string): string {
    return join(this.folder, name)
  }

  /** Returns whether commits are present, so that no fetch is needed. */
  async has(...hashes: string[]): Promise<boolean> {
    return (await this.commits(hashes)).every((found) => found !== null)
  }

  /**
   * Returns the commits that hashes and full names of refs lead to; null for what leads to none.
   */
  async commits(names: readonly string[]): Promise<(string | null)[]> {
    const unknown = names.filter((name) => !this.#known.has(name))
    if (unknown.length > 0) {
      const input = unknown.map((name) => `${name}^{commit}\n`).join('')
      const format = '--batch-check=%(objectname) %(objecttype)'
      const found = (await this.line(['cat-file', format], { input })).split('\n')
      for (const [index, name] of unknown.entries()) {
        const [sha, type] = (found[index] ?? '').split(' ')
        if (type === 'commit') this.#known.set(name, sha)
      }
    }
    return names.map((name) => this.#known.get(name) ?? null)
  }

  #within(running: Running): Running {
    return { ...running, env: { ...running.env, GIT_DIR: this.folder } }
  }

  async #tidy(): Promise<void> {
    const files = await readdir(join(this.folder, 'objects', 'pack')).catch(() => [])
    if (files.filter((name) => name.endsWith('.pack')).length <= MAX_PACKS) return
    await this.run(['gc', '--quiet', '--prune=now'])
  }

  /** An error after an accepted push does not undo the push. */
  #reported(error: unknown): unknown {
    const reported = error instanceof GitFailure ? protocolError(error, 'notApplied') : error
    if (!this.#hasPushed || !(reported instanceof ProviderError)) return reported
    return new ProviderError(reported.code, reported.message, {
      ...reported.detail,
      outcome: 'applied',
    })
  }
}
