import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from '@japa/runner/core'
import {
  makeFolder,
  type TestRepository,
} from '#integrations/providers/git/tests/support/repositories'
import { runGit } from '#integrations/providers/git/tests/support/run_git'

const WHO = {
  GIT_AUTHOR_NAME: 'Ada Lovelace',
  GIT_AUTHOR_EMAIL: 'ada@acme.example',
  GIT_COMMITTER_NAME: 'Grace Hopper',
  GIT_COMMITTER_EMAIL: 'grace@acme.example',
}

/**
 * A checkout of a repository in which git itself picks, reverts, squashes and merges. Each change
 * is a file of its own, so the content of a branch is visible in its tree.
 */
export class Worktree {
  readonly folder: string
  #changes = 0

  constructor(cleanup: TestContext['cleanup'], repository: TestRepository) {
    this.folder = join(makeFolder(cleanup), 'checkout')
    this.git('clone', '--quiet', '--template=', repository.path, this.folder)
    this.git('config', 'advice.detachedHead', 'false')
  }

  git(...words: string[]): string {
    // No two commits have the same second.
    const at = `${1_700_100_000 + ++this.#changes} +0000`
    const done = runGit(words, {
      cwd: existsSync(this.folder) ? this.folder : undefined,
      env: {
        ...{ PATH: process.env.PATH, LC_ALL: 'C' },
        ...{ GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' },
        ...{ ...WHO, GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at, GIT_EDITOR: 'true' },
      },
    })
    if (done.status !== 0) throw new Error(`git ${words.join(' ')}: ${String(done.stderr)}`)
    return String(done.stdout).trim()
  }

  /** Checks out the tip of a branch; a missing branch is made at a commit. */
  on(branch: string, from?: string): void {
    this.git('fetch', '--quiet', '--prune', '--tags', 'origin')
    if (from === undefined) this.git('checkout', '--quiet', '-B', branch, `origin/${branch}`)
    else this.git('checkout', '--quiet', '-B', branch, from)
  }

  /** Forces a branch to the server. */
  push(...branches: string[]): void {
    this.git('push', '--quiet', '--force', 'origin', ...branches)
  }

  /** Commits a change on a branch and pushes it; returns its hash. */
  change(branch: string, name: string, message = `Change ${name}`): string {
    this.on(branch)
    writeFileSync(join(this.folder, `${name}.txt`), `${name}\n`)
    this.git('add', '.')
    this.git('commit', '--quiet', '-m', message)
    this.push(branch)
    return this.git('rev-parse', 'HEAD')
  }

  /** Runs a git command on a branch, such as `revert <hash>`, and pushes it; returns the tip. */
  does(branch: string, ...words: string[]): string {
    this.on(branch)
    this.git(...words)
    this.push(branch)
    return this.git('rev-parse', 'HEAD')
  }

  /** Returns whether a branch or tag of the server has a change, by its content. */
  has(ref: string, name: string): boolean {
    this.git('fetch', '--quiet', '--prune', '--tags', '--force', 'origin')
    const there = `refs/remotes/origin/${ref}`
    const isBranch = this.git('for-each-ref', there) !== ''
    const listed = this.git('ls-tree', '--name-only', isBranch ? there : `refs/tags/${ref}`)
    return listed.split('\n').includes(`${name}.txt`)
  }
}
