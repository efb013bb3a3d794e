import { textKeyOf, type SeenCommit } from '#features/code/commit_line'
import { releaseCode, type BroughtCommit, type ReleaseCode } from '#features/queries/release_code'
import type { Scope } from '#foundation/core/scope'
import { yieldToOthers } from '#foundation/core/yielding'
import type { IncludedCode } from '../tables.js'

/** Prefix length for looking up commits: shorter hashes are not accepted. */
const PREFIX = 7

type Group<Name> = Map<Name, BroughtCommit[]>

/** An index of commits by hash, pull request and ticket key. */
class CodeByName {
  readonly #byPrefix: Group<string> = new Map()
  readonly #byPull: Group<number> = new Map()
  readonly #byKey: Group<string> = new Map()
  #byMark: Group<string> | undefined

  constructor(private readonly all: readonly BroughtCommit[]) {
    for (const each of all) {
      const prefixes = namesOf(each).map((name) => name.slice(0, PREFIX))
      for (const prefix of new Set(prefixes)) add(this.#byPrefix, prefix, each)
      if (each.pullRequest !== null) add(this.#byPull, each.pullRequest, each)
      for (const key of new Set(each.keys)) add(this.#byKey, key, each)
    }
  }

  /**
   * Returns the commits that a hash or its prefix names. The hash of a merge names what it brought.
   */
  ofHash(hash: string): BroughtCommit[] {
    const alike = this.#byPrefix.get(hash.slice(0, PREFIX)) ?? []
    return alike.filter((each) => namesOf(each).some((name) => name.startsWith(hash)))
  }

  /** Returns the commit of a full hash. */
  withHash(hash: string): BroughtCommit | undefined {
    return this.#byPrefix.get(hash.slice(0, PREFIX))?.find((each) => each.commit.hash === hash)
  }

  ofPull(number: number): BroughtCommit[] {
    return this.#byPull.get(number) ?? []
  }

  ofTicket(key: string): BroughtCommit[] {
    return this.#byKey.get(key) ?? []
  }

  /** Returns the commits that are equal to one of the others, under any hash. */
  like(others: readonly BroughtCommit[]): BroughtCommit[] {
    const byMark = this.#marks()
    const marks = new Set(others.flatMap(({ commit }) => marksOf(keptOf(commit))))
    return [...new Set([...marks].flatMap((mark) => byMark.get(mark) ?? []))]
  }

  /** Returns whether one of the commits is equal to a stored one, under any hash. */
  has(kept: Kept): boolean {
    const byMark = this.#marks()
    return marksOf(kept).some((mark) => byMark.has(mark))
  }

  #marks(): Group<string> {
    if (this.#byMark) return this.#byMark
    this.#byMark = new Map()
    for (const each of this.all) {
      for (const mark of new Set(marksOf(keptOf(each.commit)))) add(this.#byMark, mark, each)
    }
    return this.#byMark
  }
}

type Kept = Omit<IncludedCode['commits'][number], 'of'>

const keptOf = (commit: SeenCommit): Kept => ({ ...commit, text: textKeyOf(commit) })

/** Returns the marks by which the same commit is found under any hash, as `hasKept` uses them. */
function marksOf({ hash, pickedFrom = [], patchId = null, text }: Kept): string[] {
  const marks = [`hash ${hash}`, `text ${text}`, ...pickedFrom.map((each) => `hash ${each}`)]
  return patchId === null ? marks : [...marks, `patch ${patchId}`]
}

const namesOf = ({ commit, broughtBy }: BroughtCommit): string[] =>
  broughtBy === null
    ? [commit.hash, ...commit.pickedFrom]
    : [commit.hash, ...commit.pickedFrom, broughtBy]

function add<Name>(group: Group<Name>, name: Name, each: BroughtCommit): void {
  const before = group.get(name)
  if (before) before.push(each)
  else group.set(name, [each])
}

const known = new WeakMap<readonly BroughtCommit[], CodeByName>()

/** Returns the code of a release, and builds its indexes; null before the first poll. */
export async function namedCode(scope: Scope, releaseId: string): Promise<ReleaseCode | null> {
  const code = await releaseCode(scope, releaseId)
  if (code === null) return null
  for (const commits of [code.release, code.both, code.waiting]) {
    byName(commits)
    await yieldToOthers()
  }
  return code
}

/** Returns the index of a release's commits, which is built once. */
export function byName(commits: readonly BroughtCommit[]): CodeByName {
  let found = known.get(commits)
  if (!found) known.set(commits, (found = new CodeByName(commits)))
  return found
}
