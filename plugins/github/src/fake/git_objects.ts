import { createHash } from 'node:crypto'
import type { VersionControlScenario } from '@tarmac/plugin-kit/testing'

/*
 * A git repository in memory: commits, trees of whole files, branches and tags. A file that both
 * sides changed differently is a conflict.
 */

export interface Person {
  name: string
  email: string
  date: string
}

export interface GitCommit {
  sha: string
  message: string
  author: Person
  committer: Person
  parents: string[]
  tree: string
}

/** Texts by path. */
export type Tree = ReadonlyMap<string, string>

const hashOf = (...parts: string[]) => createHash('sha1').update(parts.join('\0')).digest('hex')

export const blobHash = (text: string) =>
  createHash('sha1')
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest('hex')

/** Commits with their trees, branches, and plain and annotated tags. */
export class GitObjects {
  readonly commits = new Map<string, GitCommit>()
  readonly branches = new Map<string, { sha: string; protected: boolean }>()
  /** The target of each tag: a commit, or a tag object. */
  readonly tags = new Map<string, { type: 'commit' | 'tag'; sha: string }>()
  readonly tagObjects = new Map<string, { name: string; sha: string; at: string }>()
  /** Modes by path, the same in all trees, of what is no regular file: such as 100755 or 120000. */
  readonly modes = new Map<string, string>()
  readonly #trees = new Map<string, Tree>()
  readonly #blobs = new Map<string, string>()

  constructor(scenario?: VersionControlScenario) {
    for (const { sha, message, author, at, parents, files } of scenario?.commits ?? []) {
      const before = parents[0] === undefined ? new Map() : this.treeOf(parents[0])
      const tree = this.storeTree(
        new Map([...before, ...files.map(({ path, text }) => [path, text] as const)])
      )
      const person = { name: author, email: 'ada@acme.example', date: at }
      this.commits.set(sha, { sha, message, author: person, committer: person, parents, tree })
    }
    for (const { name, sha, protected: isProtected } of scenario?.branches ?? []) {
      this.branches.set(name, { sha, protected: isProtected })
    }
    for (const { name, sha } of scenario?.tags ?? []) this.tags.set(name, { type: 'commit', sha })
  }

  treeOf(commit: string): Tree {
    return this.tree(this.commits.get(commit)?.tree ?? '')
  }

  tree(sha: string): Tree {
    return this.#trees.get(sha) ?? new Map()
  }

  blob(sha: string): string | undefined {
    return this.#blobs.get(sha)
  }

  storeTree(tree: Tree): string {
    const entries = [...tree].sort(([one], [other]) => (one < other ? -1 : 1))
    for (const [, text] of entries) this.#blobs.set(blobHash(text), text)
    const sha = hashOf('tree', ...entries.flatMap(([path, text]) => [path, blobHash(text)]))
    this.#trees.set(sha, tree)
    return sha
  }

  hasTree(sha: string): boolean {
    return this.#trees.has(sha)
  }

  commit(made: Omit<GitCommit, 'sha'>): GitCommit {
    const { message, author, committer, parents, tree } = made
    const people = [author, committer].map((each) => JSON.stringify(each))
    const sha = hashOf('commit', tree, ...parents, ...people, message)
    const commit = { ...made, sha }
    this.commits.set(sha, commit)
    return commit
  }

  /** Returns the commit of a branch, a tag or a full hash. */
  named(name: string): string | null {
    const branch = this.branches.get(name)?.sha
    if (branch !== undefined) return branch
    const tag = this.tags.get(name)
    if (tag) return this.commitOfTag(tag)
    return this.commits.has(name) ? name : null
  }

  commitOfTag({ type, sha }: { type: 'commit' | 'tag'; sha: string }): string {
    return type === 'tag' ? (this.tagObjects.get(sha)?.sha ?? '') : sha
  }

  /** Returns a commit and all its ancestors. */
  reached(from: string): Set<string> {
    const seen = new Set<string>()
    const waiting = [from]
    for (let sha = waiting.pop(); sha !== undefined; sha = waiting.pop()) {
      if (seen.has(sha)) continue
      seen.add(sha)
      waiting.push(...(this.commits.get(sha)?.parents ?? []))
    }
    return seen
  }

  /** Returns the commits of `head` that `base` lacks, oldest first. */
  between(base: string, head: string): GitCommit[] {
    const known = this.reached(base)
    const found = this.reached(head)
    return this.#inOrder().filter(({ sha }) => found.has(sha) && !known.has(sha))
  }

  /** Returns a commit and its ancestors, newest first. */
  history(head: string): GitCommit[] {
    const found = this.reached(head)
    return this.#inOrder()
      .filter(({ sha }) => found.has(sha))
      .reverse()
  }

  /** Parents before their children. */
  #inOrder(): GitCommit[] {
    return [...this.commits.values()]
  }

  mergeBase(one: string, other: string): string | null {
    const [left, right] = [this.reached(one), this.reached(other)]
    return this.#inOrder().findLast(({ sha }) => left.has(sha) && right.has(sha))?.sha ?? null
  }

  /** Returns the paths that differ between two trees. */
  changed(before: Tree, after: Tree): string[] {
    const paths = new Set([...before.keys(), ...after.keys()])
    return [...paths].filter((path) => before.get(path) !== after.get(path)).sort()
  }

  /** Merges two commits. Returns the tree, or null for a conflict. */
  merged(ours: string, theirs: string): string | null {
    const base = this.mergeBase(ours, theirs)
    const before = base === null ? new Map<string, string>() : this.treeOf(base)
    const [left, right] = [this.treeOf(ours), this.treeOf(theirs)]
    const result = new Map(left)
    for (const path of this.changed(before, right)) {
      const [mine, other] = [left.get(path), right.get(path)]
      if (mine !== before.get(path) && mine !== other) return null
      if (other === undefined) result.delete(path)
      else result.set(path, other)
    }
    return this.storeTree(result)
  }

  /** Returns the change of a commit against its first parent. */
  diff({ sha, parents }: GitCommit): { path: string; before?: string; after?: string }[] {
    const before = parents[0] === undefined ? new Map<string, string>() : this.treeOf(parents[0])
    const after = this.treeOf(sha)
    return this.changed(before, after).map((path) => ({
      path,
      before: before.get(path),
      after: after.get(path),
    }))
  }

  /** Returns the content as a scenario. */
  scenario(): Pick<VersionControlScenario, 'branches' | 'commits' | 'tags'> {
    return {
      branches: [...this.branches].map(([name, { sha, protected: isProtected }]) => ({
        name,
        sha,
        protected: isProtected,
      })),
      // Commits that no branch or tag reaches are left out.
      commits: this.#inOrder()
        .filter(({ sha }) => this.#isNamed(sha))
        .map((commit) => ({
          sha: commit.sha,
          message: commit.message,
          author: commit.author.name,
          at: commit.committer.date,
          parents: commit.parents,
          files: this.diff(commit).map(({ path, after = '' }) => ({ path, text: after })),
        })),
      tags: [...this.tags].map(([name, tag]) => ({ name, sha: this.commitOfTag(tag) })),
    }
  }

  #isNamed(sha: string): boolean {
    const tips = [
      ...[...this.branches.values()].map((each) => each.sha),
      ...[...this.tags.values()].map((each) => this.commitOfTag(each)),
    ]
    return tips.some((tip) => this.reached(tip).has(sha))
  }
}
