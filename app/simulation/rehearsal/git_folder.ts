import { compareTexts } from '../../foundation/core/compare_texts.js'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Clock } from '#foundation/core/clock'
import { GitProgram } from '#integrations/providers/git/program/git_program'

/** Runs git without the user's configuration. It is never aborted, and has no secrets. */
const PROGRAM = new GitProgram({
  env: {
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    PATH: process.env.PATH ?? '',
  },
  config: [],
  signal: new AbortController().signal,
  redact: (text) => text,
})

const USUAL_AUTHOR = 'Ada'

interface RepositoryOptions {
  /** Folder of the repository and of the working copy. */
  folder: string
  name: string
  branch: string
  clock: Clock
}

interface Tip {
  name: string
  sha: string
  protected: boolean
}

/** A bare git repository in a folder, with a working copy to commit from. */
export class GitFolder {
  #commits = 0

  private constructor(private readonly options: RepositoryOptions) {}

  /** Creates the repository, with a first commit. */
  static async make(options: RepositoryOptions): Promise<GitFolder> {
    const { folder, name, branch } = options
    const made = new GitFolder(options)
    await mkdir(join(folder, name), { recursive: true })
    await made.#git([
      'init',
      '--quiet',
      '--bare',
      '--template=',
      `--initial-branch=${branch}`,
      made.#bare,
    ])
    await made.#git(['clone', '--quiet', '--template=', made.#bare, made.#copy])
    await made.#inCopy('checkout', '--quiet', '-B', branch)
    await made.#commit('version.txt', '1.0.0\n', 'Begin')
    return made
  }

  /** Commits to the working branch. @returns the hash */
  async commit(message: string): Promise<string> {
    await this.#inCopy('pull', '--quiet', 'origin', this.options.branch)
    await this.#commit(`change-${++this.#commits}.txt`, `${message}\n`, message)
    return (await this.#inCopy('rev-parse', 'HEAD')).trim()
  }

  /** Commits to a branch, which is created from the working branch. */
  async commitOn(branch: string, message: string, author: string): Promise<void> {
    await this.#inCopy('fetch', '--quiet', 'origin')
    const isThere = (await this.#inCopy('branch', '--list', branch)).trim() !== ''
    if (isThere) await this.#inCopy('checkout', '--quiet', branch)
    else await this.#inCopy('checkout', '--quiet', '-b', branch, `origin/${this.options.branch}`)
    await this.#commit(`work-${++this.#commits}.txt`, `${message}\n`, message, { branch, author })
    await this.#inCopy('checkout', '--quiet', this.options.branch)
  }

  /** Returns the commits that a branch has beyond the working branch, the newest first. */
  async ahead(branch: string): Promise<{ sha: string; at: number }[]> {
    const range = `${this.options.branch}..${branch}`
    const found = await this.#git(['-C', this.#bare, 'log', '--format=%H %ct', range])
    return found.split('\n').flatMap((line) => {
      const [sha, seconds] = line.split(' ')
      return sha ? [{ sha, at: Number(seconds) * 1000 }] : []
    })
  }

  /** Merges a branch into the working branch. @returns whether it could be merged */
  async merge(branch: string, message: string, author: string): Promise<boolean> {
    await this.#inCopy('pull', '--quiet', 'origin', this.options.branch)
    const merging = ['merge', '--quiet', '--no-ff', '-m', message, branch]
    try {
      await this.#git(['-C', this.#copy, ...merging], author)
    } catch {
      await this.#inCopy('merge', '--abort')
      return false
    }
    await this.#inCopy('push', '--quiet', 'origin', this.options.branch)
    return true
  }

  /** Returns the heads of its branches. */
  async tips(): Promise<Tip[]> {
    if ((await readdir(this.#bare)).includes('packed-refs')) return this.#packedTips()
    // Reads the files, because starting git costs far more.
    const heads = join(this.#bare, 'refs', 'heads')
    const files = await readdir(heads, { recursive: true, withFileTypes: true })
    const tips = files
      .filter((each) => each.isFile() && !each.name.endsWith('.lock'))
      .map(async ({ parentPath, name }): Promise<Tip> => {
        const file = join(parentPath, name)
        const sha = (await readFile(file, 'utf8')).trim()
        return { name: relative(heads, file), sha, protected: false }
      })
    const all = await Promise.all(tips)
    return all.sort((one, other) => compareTexts(one.name, other.name))
  }

  async #packedTips(): Promise<Tip[]> {
    const format = '--format=%(refname:short) %(objectname)'
    const refs = await this.#git(['-C', this.#bare, 'for-each-ref', format, 'refs/heads'])
    return refs.split('\n').flatMap((line) => {
      const [name, sha] = line.split(' ')
      return sha ? [{ name, sha, protected: false }] : []
    })
  }

  async #commit(
    file: string,
    content: string,
    message: string,
    { branch = this.options.branch, author = USUAL_AUTHOR } = {}
  ): Promise<void> {
    await writeFile(join(this.#copy, file), content)
    await this.#inCopy('add', '.')
    await this.#git(['-C', this.#copy, 'commit', '--quiet', '-m', message], author)
    await this.#inCopy('push', '--quiet', 'origin', branch)
  }

  get #bare(): string {
    return join(this.options.folder, this.options.name)
  }

  get #copy(): string {
    return join(this.options.folder, 'working copy')
  }

  #inCopy(...args: string[]): Promise<string> {
    return this.#git(['-C', this.#copy, ...args])
  }

  /** Runs git with a fixed identity and the time of the rehearsal. */
  async #git(args: string[], author = USUAL_AUTHOR): Promise<string> {
    const at = this.options.clock.now()
    const who = { NAME: author, EMAIL: 'ada@rehearsal.example', DATE: at }
    const identity = Object.entries(who).flatMap(([name, value]) => [
      [`GIT_AUTHOR_${name}`, value],
      [`GIT_COMMITTER_${name}`, value],
    ])
    const { stdout } = await PROGRAM.run(args, { env: Object.fromEntries(identity) })
    return stdout.toString('utf8')
  }
}
