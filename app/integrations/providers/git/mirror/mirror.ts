import { createHash } from 'node:crypto'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { PluginContext } from '#plugin-kit/context'
import { GitFailure, protocolError, refused } from '../program/failures.js'
import type { Finished, Running } from '../program/git_program.js'
import { Remote, type Pushed, type RefChange } from '../remote/remote.js'
import { withFileLock } from './file_lock.js'

/** Packs after which a mirror is packed anew; each fetch may add one. */
const MOST_PACKS = 50

/**
 * A bare mirror of one repository: its branches and tags as they are now, and nothing of its
 * configuration. All that is read of a repository is read here, and what it is given is made here.
 */
export class Mirror {
  private constructor(
    readonly remote: Remote,
    private readonly folder: string
  ) {}

  /**
   * Works with a mirror that nobody else uses meanwhile. A broken one is thrown away, made anew,
   * and the work done once more.
   * @throws ProviderError
   */
  static async use<Result>(
    ctx: PluginContext,
    work: (mirror: Mirror) => Promise<Result>
  ): Promise<Result> {
    if (ctx.folder === null) throw refused('invalid', 'There is no connection yet', 'no_connection')
    const { folder: home, signal } = ctx
    await mkdir(home, { recursive: true, mode: 0o700 })
    const remote = await Remote.open(ctx, ctx.data.repoName)
    const name = createHash('sha256').update(remote.address).digest('hex').slice(0, 24)
    const mirror = new Mirror(remote, join(home, `${name}.git`))
    try {
      return await withFileLock(join(home, `${name}.lock`), signal, async () => {
        try {
          return await work(mirror)
        } catch (error) {
          if (!(error instanceof GitFailure) || signal.aborted) throw error
          ctx.log.warn({ failure: error.message }, 'a mirror is made anew')
          await mirror.#remove()
          return await work(mirror)
        }
      })
    } catch (error) {
      throw error instanceof GitFailure ? protocolError(error, 'notApplied') : error
    } finally {
      await remote.close()
    }
  }

  /**
   * Brings the mirror up to date; a remote that does not answer is an error, never an old answer.
   * @throws GitFailure when the mirror may be broken, ProviderError
   */
  async fetch(): Promise<void> {
    if (await this.#isThere()) await this.remote.fetchInto(this.folder)
    else await this.#make()
    await this.#tidy()
  }

  /** Runs git in the mirror. @throws GitFailure, ProviderError */
  run(args: readonly string[], running: Running = {}): Promise<Finished> {
    return this.remote.git.run(args, this.#within(running))
  }

  /** The same, for what it prints as one line. */
  async line(args: readonly string[], running: Running = {}): Promise<string> {
    const { stdout } = await this.run(args, running)
    return stdout.toString('utf8').trim()
  }

  /** The fields of what it prints, one by one. @throws GitFailure, ProviderError */
  fields(args: readonly string[], running: Running = {}): AsyncGenerator<Buffer> {
    return this.remote.git.fields(args, this.#within(running))
  }

  /** Changes a ref of the remote. @throws ProviderError */
  push(change: RefChange): Promise<Pushed> {
    return this.remote.push(this.folder, change)
  }

  /** A path inside of the mirror that nobody else uses. */
  path(name: string): string {
    return join(this.folder, name)
  }

  /** Whether an object is there, so that no fetch is needed to speak of it. */
  async has(hash: string): Promise<boolean> {
    if (!(await this.#isThere())) return false
    const { code } = await this.run(['cat-file', '-e', `${hash}^{commit}`], {
      expected: [0, 1, 128],
    })
    return code === 0
  }

  #within(running: Running): Running {
    return { ...running, env: { ...running.env, GIT_DIR: this.folder } }
  }

  async #isThere(): Promise<boolean> {
    return readdir(this.folder).then(
      () => true,
      () => false
    )
  }

  /** Made beside its place and put there when it is whole. */
  async #make(): Promise<void> {
    const [hash = ''] = (await this.remote.refs()).values()
    const format = hash.length === 64 ? 'sha256' : 'sha1'
    const part = `${this.folder}.part`
    await rm(part, { recursive: true, force: true })
    await mkdir(part, { mode: 0o700 })
    const flags = ['--quiet', '--bare', '--template=', `--object-format=${format}`]
    await this.remote.git.run(['init', ...flags, '--initial-branch=main', '--end-of-options', part])
    await this.remote.fetchInto(part)
    await rename(part, this.folder)
  }

  async #tidy(): Promise<void> {
    const files = await readdir(join(this.folder, 'objects', 'pack')).catch(() => [])
    if (files.filter((name) => name.endsWith('.pack')).length <= MOST_PACKS) return
    await this.run(['gc', '--quiet', '--prune=now'])
  }

  async #remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true })
  }
}
