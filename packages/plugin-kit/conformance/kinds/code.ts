import assert from 'node:assert/strict'
import type { Scenario, VersionControlScenario } from '../../fake/scenario.js'
import type { Bench } from '../bench.js'

/*
 * The repository that version control plugins are tested with: a branch `main`, and a release
 * branch that has diverged from it.
 */

export const MAIN = 'main'
export const RELEASE = 'release/1.0.0'
export const TAG = '1.0.0'
/** A branch with a pull request into `main`. */
export const BESIDE = 'feature/picture'
export const PULL = 7

/** A text that careless encoding breaks. */
export const TEXT = 'Grüße ✓\r\n  "quoted" \\ 50%\n'

export const BEGIN = 'Begin'
export const WORK = 'Work'
export const FIX = 'Fix the “crash”'
export const CONFLICTING = 'Raise the version'
export const PICTURE = 'Add a picture'
export const STRINGS = 'Change the strings'

/** Hashes name commits within a scenario; a fake with real repositories assigns its own. */
const hashOf = (number: number) => number.toString(16).padStart(40, '0')

const AT = Date.parse('2026-11-02T09:00:00.000Z')
const MINUTE = 60_000
const atOf = (number: number) => new Date(AT + number * MINUTE).toISOString()

type Commit = VersionControlScenario['commits'][number]

const commit = (number: number, message: string, parent: number | null, text: Commit['files']) => ({
  sha: hashOf(number),
  message,
  author: 'Ada Lovelace',
  at: atOf(number),
  parents: parent === null ? [] : [hashOf(parent)],
  files: text,
})

/** Returns the initial state before each rule. */
export function codeScenario(more: Partial<VersionControlScenario> = {}): Scenario {
  const commits = [
    commit(1, BEGIN, null, [
      { path: 'version.txt', text: '1.0.0\n' },
      { path: 'docs/notes.txt', text: TEXT },
    ]),
    commit(2, WORK, 1, [{ path: 'app.txt', text: 'one\n' }]),
    commit(3, FIX, 2, [{ path: 'fix.txt', text: 'fixed\n' }]),
    commit(4, CONFLICTING, 3, [{ path: 'version.txt', text: '1.1.0\n' }]),
    commit(5, STRINGS, 2, [
      { path: 'version.txt', text: '1.0.1\n' },
      { path: 'strings.txt', text: 'Hello\n' },
    ]),
  ]
  return {
    versionControl: {
      branches: [
        { name: MAIN, sha: hashOf(4), protected: false },
        { name: RELEASE, sha: hashOf(5), protected: false },
      ],
      commits,
      tags: [{ name: TAG, sha: hashOf(2) }],
      pulls: [],
      releases: [],
      conflicting: [hashOf(4)],
      ...more,
    },
  }
}

/** Returns the initial state with more commits on `main`. */
export function longScenario(count: number): Scenario {
  const { versionControl } = codeScenario()
  const { commits, branches, ...rest } = versionControl!
  const added = Array.from({ length: count }, (_, index) =>
    commit(10 + index, `Change ${index + 1}`, index === 0 ? 4 : 9 + index, [
      { path: 'app.txt', text: `${index}\n` },
    ])
  )
  const [, release] = branches
  const tip = { name: MAIN, sha: hashOf(9 + count), protected: false }
  return {
    versionControl: { ...rest, commits: [...commits, ...added], branches: [tip, release] },
  }
}

/** Returns the initial state with a number of tags, all at one commit. */
export function taggedScenario(count: number): Scenario {
  const tags = Array.from({ length: count }, (_, index) => ({
    name: `1.0.${index}`,
    sha: hashOf(2),
  }))
  return codeScenario({ tags })
}

/** Returns the initial state with a further branch and a pull request for it. */
export function pullScenario(state = 'open'): Scenario {
  const { versionControl } = codeScenario()
  const { commits, branches, ...rest } = versionControl!
  const added = commit(6, PICTURE, 4, [{ path: 'picture.txt', text: 'a picture\n' }])
  const branch = { name: BESIDE, sha: added.sha, protected: false }
  const pull = { number: PULL, title: PICTURE, head: BESIDE, base: MAIN, sha: added.sha, state }
  return {
    versionControl: {
      ...rest,
      commits: [...commits, added],
      branches: [...branches, branch],
      pulls: [pull],
    },
  }
}

/** Returns the initial state with a number of open pull requests, numbered from 1. */
export function manyPullsScenario(count: number): Scenario {
  const { versionControl } = pullScenario()
  const { branches, pulls, ...rest } = versionControl!
  const [pull] = pulls
  const heads = Array.from({ length: count }, (_, index) => `${BESIDE}-${index + 1}`)
  return {
    versionControl: {
      ...rest,
      branches: [...branches, ...heads.map((name) => ({ name, sha: pull.sha, protected: false }))],
      pulls: heads.map((head, index) => ({ ...pull, head, number: index + 1 })),
    },
  }
}

/**
 * Reads a fake's repository. Commits are found by their messages, since hashes differ by provider.
 */
export class Code {
  constructor(private readonly bench: Bench) {}

  get now(): VersionControlScenario {
    const { versionControl } = this.bench.fake.state()
    assert.ok(versionControl, 'The fake has no versionControl in its state()')
    return versionControl
  }

  /** Returns the hash of the commit with a message. */
  sha(message: string): string {
    const found = this.now.commits.find((each) => each.message.startsWith(message))
    assert.ok(found, `The fake has no commit "${message}" in its state()`)
    return found.sha
  }

  /** Returns the commit at the tip of a branch; null if the branch does not exist. */
  tip(branch: string): string | null {
    return this.now.branches.find(({ name }) => name === branch)?.sha ?? null
  }

  tag(name: string): string | null {
    return this.now.tags.find((tag) => tag.name === name)?.sha ?? null
  }

  commit(sha: string): Commit | undefined {
    return this.now.commits.find((each) => each.sha === sha)
  }
}
