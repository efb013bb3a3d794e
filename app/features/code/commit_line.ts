import { hash as digestOf } from 'node:crypto'
import type { RowOf } from '#foundation/core/database/table'
import type { releaseCommits } from '../tables.js'
import { plainMessage } from './read_commit.js'

/** A stored commit, without the release that it belongs to. */
export type SeenCommit = Omit<
  RowOf<typeof releaseCommits>,
  'organizationId' | 'appId' | 'releaseId' | 'origin' | 'moreOrigins' | 'entered' | 'textKey'
>

/** The members of a commit that determine its position in a branch. */
export type LineCommit = Pick<SeenCommit, 'hash' | 'place' | 'parents' | 'pickedFrom' | 'reverts'>

/** Returns the commits of a branch from its head down, following first parents. */
export function lineOf<Each extends Pick<LineCommit, 'hash' | 'parents'>>(
  commits: readonly Each[],
  head: string | null
): Each[] {
  return lineAmong(byHashOf(commits), head)
}

function byHashOf<Each extends Pick<LineCommit, 'hash'>>(commits: readonly Each[]) {
  const byHash = new Map<string, Each>()
  for (const each of commits) byHash.set(each.hash, each)
  return byHash
}

function lineAmong<Each extends Pick<LineCommit, 'hash' | 'parents'>>(
  byHash: ReadonlyMap<string, Each>,
  head: string | null
): Each[] {
  const line = new Set<Each>()
  let at = head === null ? undefined : byHash.get(head)
  while (at && !line.has(at)) {
    line.add(at)
    at = byHash.get(at.parents[0] ?? '')
  }
  return [...line]
}

/** Returns the merges that brought commits into the line of a branch, by the hash of the commit. */
export function bringers<Each extends Pick<LineCommit, 'hash' | 'parents'>>(
  commits: readonly Each[],
  head: string | null
): Map<string, Each> {
  return broughtBy(byHashOf(commits), head).brought
}

function broughtBy<Each extends Pick<LineCommit, 'hash' | 'parents'>>(
  byHash: ReadonlyMap<string, Each>,
  head: string | null
): { line: Each[]; brought: Map<string, Each> } {
  const line = lineAmong(byHash, head)
  const placed = new Set(line.map(({ hash }) => hash))
  const brought = new Map<string, Each>()
  // A commit was brought by the oldest merge that contains it.
  for (const merge of line.toReversed()) {
    if (merge.parents.length < 2) continue
    const open = merge.parents.slice(1)
    for (let hash = open.pop(); hash !== undefined; hash = open.pop()) {
      const commit = byHash.get(hash)
      if (!commit || placed.has(hash)) continue
      placed.add(hash)
      brought.set(hash, merge)
      open.push(...commit.parents)
    }
  }
  return { line, brought }
}

/**
 * Returns the places at which commits entered the line of a branch, by hash: their own if they are
 * on the line, else that of the merge that brought them. A commit on the line contains what entered
 * at its place or below.
 */
export function enteredAt(
  commits: readonly Pick<LineCommit, 'hash' | 'parents' | 'place'>[],
  head: string | null
): Map<string, number> {
  const { line, brought } = broughtBy(byHashOf(commits), head)
  const entered = new Map<string, number>()
  for (const [hash, { place }] of brought) entered.set(hash, place)
  for (const { hash, place } of line) entered.set(hash, place)
  return entered
}

/**
 * Returns the commits that stand. A commit does not stand if a later one that stands reverts it, or
 * reverts the merge that brought it. Reverting the original also reverts a cherry-pick.
 */
export function notReverted<Each extends LineCommit>(
  commits: readonly Each[],
  brought: ReadonlyMap<string, Each>
): Each[] {
  const reverters = new Map<string, Each[]>()
  for (const commit of commits) {
    for (const hash of commit.reverts) {
      const found = reverters.get(hash)
      if (found) found.push(commit)
      else reverters.set(hash, [commit])
    }
  }
  if (reverters.size === 0) return [...commits]
  const known = new Map<string, boolean>()
  const stands = (commit: Each): boolean => {
    const before = known.get(commit.hash)
    if (before !== undefined) return before
    // A recursion to the same commit would mean a cycle, which histories do not have.
    known.set(commit.hash, true)
    const isReverted = [commit.hash, ...commit.pickedFrom].some((hash) =>
      reverters.get(hash)?.some((reverter) => reverter.place > commit.place && stands(reverter))
    )
    const merge = brought.get(commit.hash)
    const result = !isReverted && (!merge || stands(merge))
    known.set(commit.hash, result)
    return result
  }
  // Newest first, so that chains of reverts are not walked deep.
  for (const commit of [...commits].sort((one, other) => other.place - one.place)) stands(commit)
  return commits.filter((commit) => known.get(commit.hash))
}

/**
 * Returns whether a line contains a commit of another: the commit itself, a cherry-pick in either
 * direction, or an unmarked cherry-pick, which has the same change, or the same author and message.
 */
export function hasCommit(
  line: readonly SeenCommit[]
): (commit: Pick<SeenCommit, 'hash' | 'pickedFrom' | 'message' | 'author' | 'patchId'>) => boolean {
  const isMarked = hasMarked(line)
  const texts = new Set(line.map(textOf))
  return (commit) => isMarked(commit) || texts.has(textOf(commit))
}

/**
 * Returns the same for a stored commit: `text` is its `textKeyOf`, and its message is not known.
 */
export function hasKept(line: readonly SeenCommit[]): (kept: Marked & { text: string }) => boolean {
  const isMarked = hasMarked(line)
  const texts = new Set(line.map(textKeyOf))
  return (kept) => isMarked(kept) || texts.has(kept.text)
}

/** The identity of a commit, apart from its author and message. */
interface Marked {
  hash: string
  pickedFrom?: readonly string[]
  patchId?: string | null
}

/** Returns a test for commits by identity alone, without author and message. */
function hasMarked(line: readonly SeenCommit[]): (commit: Marked) => boolean {
  const names = new Set<string>()
  for (const { hash, pickedFrom } of line) {
    names.add(hash)
    for (const each of pickedFrom) names.add(each)
  }
  const patches = new Set(line.flatMap(({ patchId }) => patchId ?? []))
  return (commit) =>
    names.has(commit.hash) ||
    (commit.pickedFrom ?? []).some((hash) => names.has(hash)) ||
    (typeof commit.patchId === 'string' && patches.has(commit.patchId))
}

/** Returns a digest of a commit's author and message, which a cherry-pick does not change. */
export const textKeyOf = (commit: Pick<SeenCommit, 'author' | 'message'>): string =>
  digestOf('sha256', textOf(commit), 'base64url')

const textOf = ({ author, message }: Pick<SeenCommit, 'author' | 'message'>) =>
  `${author}\n${plainMessage(message)}`
