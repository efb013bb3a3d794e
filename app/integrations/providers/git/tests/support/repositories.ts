import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from '@japa/runner/core'
import { runGit } from './run_git.js'

const ENVIRONMENT = {
  PATH: process.env.PATH,
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Ada Lovelace',
  GIT_AUTHOR_EMAIL: 'ada@acme.example',
  GIT_COMMITTER_NAME: 'Grace Hopper',
  GIT_COMMITTER_EMAIL: 'grace@acme.example',
}

/** A file in a commit: a text, bytes, a link, a submodule, or gone. */
export type Content = string | Buffer | { link: string } | { submodule: string } | null

export interface CommitDraft {
  branch?: string
  message?: string
  files?: Record<string, Content>
  /** A merge with this one. */
  merge?: string
  /** Seconds since 1970. */
  at?: number
  author?: string
}

/** Returns a folder for repositories that goes with the test. */
export function makeFolder(cleanup: TestContext['cleanup']): string {
  const folder = mkdtempSync(join(tmpdir(), 'tarmac-repositories-'))
  cleanup(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A bare repository that a test makes and looks into. */
export class TestRepository {
  #commits = 0

  constructor(
    readonly path: string,
    init: readonly string[] = []
  ) {
    mkdirSync(path, { recursive: true })
    // Without the samples of hooks, which take most of the time.
    this.git('init', '--quiet', '--bare', '--template=', '--initial-branch=main', ...init, path)
  }

  /** Runs git in it. */
  git(...args: (string | { input: string | Buffer })[]): string {
    const words = args.filter((each) => typeof each === 'string')
    const input = args.find((each) => typeof each !== 'string')?.input
    const done = runGit(words, { env: { ...ENVIRONMENT, GIT_DIR: this.path }, input })
    if (done.status !== 0) throw new Error(`git ${words.join(' ')}: ${done.stderr.toString()}`)
    return done.stdout.toString().trim()
  }

  /** Commits to a branch, which it makes where there is none; answers the hash. */
  commit({ branch = 'main', ...draft }: CommitDraft = {}): string {
    const number = ++this.#commits
    const { message = `Commit ${number}`, files = { [`${number}.txt`]: `${number}\n` } } = draft
    const at = draft.at ?? 1_700_000_000 + number
    const { author = 'Ada Lovelace <ada@acme.example>', merge } = draft
    const isThere = this.tip(branch) !== null
    const parts: (string | Buffer)[] = [
      `commit refs/heads/${branch}\nauthor ${author} ${at} +0200\n`,
      `committer Grace Hopper <grace@acme.example> ${at} +0200\n`,
      ...data(message),
      isThere ? `from refs/heads/${branch}^0\n` : '',
      merge === undefined ? '' : `merge ${merge}\n`,
      ...Object.entries(files).flatMap(([path, content]) => changeOf(path, content)),
      '\n',
    ]
    const input = Buffer.concat(parts.map((part) => Buffer.from(part as string)))
    this.git('fast-import', '--quiet', '--force', { input })
    return this.tip(branch)!
  }

  /** Adds many commits to a branch at once. */
  commits(count: number, branch = 'main'): void {
    const base = 1_600_000_000
    const lines = Array.from({ length: count }, (_, index) => {
      const text = `Change ${index + 1}`
      return (
        `commit refs/heads/${branch}\ncommitter Grace Hopper <grace@acme.example> ${base + index} +0000\n` +
        `data ${Buffer.byteLength(text)}\n${text}\nM 100644 inline file.txt\ndata ${Buffer.byteLength(text)}\n${text}\n\n`
      )
    })
    this.git('fast-import', '--quiet', '--force', { input: lines.join('') })
  }

  /** Returns the head of a branch; git is asked only if the branch has no file of its own. */
  tip(branch: string): string | null {
    const file = join(this.path, 'refs', 'heads', branch)
    if (existsSync(file) && statSync(file).isFile()) return readFileSync(file, 'utf8').trim()
    const isPacked = existsSync(join(this.path, 'packed-refs'))
    return (isPacked && this.refs().get(`refs/heads/${branch}`)) || null
  }

  refs(): Map<string, string> {
    const lines = this.git('for-each-ref', '--format=%(refname) %(objectname)').split('\n')
    return new Map(
      lines.filter(Boolean).map((line) => {
        const at = line.lastIndexOf(' ')
        return [line.slice(0, at), line.slice(at + 1)]
      })
    )
  }

  /** Returns whether git finds no fault. */
  isSound(): boolean {
    this.git('fsck', '--strict')
    return true
  }

  /** Has a program run by the server of the repository. */
  hook(name: string, script: string): void {
    mkdirSync(join(this.path, 'hooks'), { recursive: true })
    writeScript(join(this.path, 'hooks', name), script)
  }
}

/** Makes a folder with one repository that can be served, of one commit. */
export function servedRepository(cleanup: TestContext['cleanup']) {
  const folder = makeFolder(cleanup)
  const repository = new TestRepository(join(folder, 'srv', 'app.git'))
  repository.git('config', 'http.receivepack', 'true')
  const sha = repository.commit({ files: { a: '1\n' } })
  return { folder, repository, sha }
}

function data(content: string | Buffer): (string | Buffer)[] {
  return [`data ${Buffer.byteLength(content)}\n`, content, '\n']
}

function changeOf(path: string, content: Content): (string | Buffer)[] {
  const name = JSON.stringify(path)
  if (content === null) return [`D ${name}\n`]
  if (typeof content === 'string' || Buffer.isBuffer(content)) {
    return [`M 100644 inline ${name}\n`, ...data(content)]
  }
  return 'link' in content
    ? [`M 120000 inline ${name}\n`, ...data(content.link)]
    : [`M 160000 ${content.submodule} ${name}\n`]
}

export function writeScript(path: string, script: string): void {
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
}

/** Makes a file that is there once something has run that never may. */
export function makeCanary(folder: string) {
  const file = join(folder, 'canary')
  return { file, script: `touch '${file}'`, hasSung: () => existsSync(file) }
}
