import type { Commit, VersionControl } from '#plugin-kit/capabilities/source'
import { isProviderError } from '#plugin-kit/provider_error'
import { MAX_COMMITS } from '../vocabulary.js'

/** A range: the commits that are reachable from `head` and not from `base`, if there is one. */
interface Ends {
  base: string | null
  head: string
}

/** The difference of a range: all of it anew, or additions and removals. */
export interface RangeDelta {
  isAnew: boolean
  /** Newest first. */
  came: Commit[]
  /** Hashes of commits that may not be in it any more. */
  went: string[]
}

/**
 * Returns the change of a range since it was last read. Only differences are requested: new commits
 * of a branch that moved on, both sides of one that was forced elsewhere.
 * @throws ProviderError
 */
export async function rangeDelta(
  versionControl: VersionControl,
  was: Ends | null,
  now: Ends
): Promise<RangeDelta> {
  if (was && was.base === now.base && was.head === now.head) {
    return { isAnew: false, came: [], went: [] }
  }
  try {
    const found = was && (await differing(versionControl, was, now))
    if (found) return found
  } catch (error) {
    // The previous head is gone, as after a force-push.
    if (!isProviderError(error) || error.code !== 'notFound') throw error
  }
  const { items } = await commitsOf(versionControl, now.base, now.head)
  return { isAnew: true, came: items, went: [] }
}

/**
 * Returns the difference; null if the range has to be read anew, because commits that the old base
 * had may belong to it now.
 */
async function differing(
  versionControl: VersionControl,
  was: Ends,
  now: Ends
): Promise<RangeDelta | null> {
  const went = new Set<string>()
  if (was.base !== now.base) {
    if (now.base === null) return null
    const { items, behind } = await commitsOf(versionControl, was.base, now.base)
    if (behind > 0) return null
    for (const { sha } of items) went.add(sha)
  }
  if (was.head === now.head) return { isAnew: false, came: [], went: [...went] }
  const { items, behind } = await commitsOf(versionControl, was.head, now.head)
  if (behind > 0) {
    const lost = await commitsOf(versionControl, now.head, was.head)
    for (const { sha } of lost.items) went.add(sha)
  }
  // The base may contain some of the new commits, too: all along, or by a merge of its own.
  const ofBase =
    items.length > 0 && now.base !== null
      ? await commitsOf(versionControl, was.head, now.base)
      : { items: [] }
  const old = new Set(ofBase.items.map(({ sha }) => sha))
  return { isAnew: false, came: items.filter(({ sha }) => !old.has(sha)), went: [...went] }
}

async function commitsOf(versionControl: VersionControl, base: string | null, head: string) {
  const items: Commit[] = []
  let cursor: string | undefined
  let behind = 0
  do {
    const page = await versionControl.compare(base, head, cursor)
    if (cursor === undefined) behind = page.behind
    items.push(...page.items)
    cursor = page.next
  } while (cursor !== undefined && items.length < MAX_COMMITS)
  return { items: items.slice(0, MAX_COMMITS), behind }
}
