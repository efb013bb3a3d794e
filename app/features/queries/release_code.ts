import type { Scope } from '#foundation/core/scope'
import { yieldToOthers } from '#foundation/core/yielding'
import { bringers, hasCommit, notReverted, type SeenCommit } from '../code/commit_line.js'
import { seenCommits } from './seen_commits.js'
import { movedNames } from './ticket_names.js'
import { releaseFeaturesOf, type ReleaseFeatures } from './release_features.js'

/** A commit, with what it belongs to by itself or by the merge that brought it. */
export interface BroughtCommit {
  commit: SeenCommit
  /** The merge that brought it into the line of its branch; null for what is on the line itself. */
  broughtBy: string | null
  /** Possible ticket keys, in upper case; of tickets that were moved all that are known. */
  keys: readonly string[]
  pullRequest: number | null
}

/** The code of a release as it was last seen, without what was taken back; oldest first. */
export interface ReleaseCode {
  features: ReleaseFeatures
  /** In what is released. */
  release: BroughtCommit[]
  /** In the working branch, and in the release too under another hash. */
  both: BroughtCommit[]
  /** In the working branch alone. */
  waiting: BroughtCommit[]
  /** Hashes of all of them, and of what was taken back. */
  hashes: ReadonlySet<string>
}

/** The code of a release, by its internal id; null while nobody has looked at it. */
export async function releaseCode(scope: Scope, releaseId: string): Promise<ReleaseCode | null> {
  const features = await releaseFeaturesOf(scope, releaseId)
  if (!features || features.codeSeenAt === null) return null
  const commits = await seenCommits(scope, releaseId)
  const names = await movedNames(scope, features.appId, features.mentioned)
  const release = lineOf(commits, 'release', features.releaseRange?.head ?? null, names)
  await yieldToOthers()
  const working = lineOf(commits, 'working', features.workingRange?.head ?? null, names)
  await yieldToOthers()
  const isThere = hasCommit(release.map(({ commit }) => commit))
  await yieldToOthers()
  const { both = [], waiting = [] } = Object.groupBy(working, ({ commit }) =>
    isThere(commit) ? 'both' : 'waiting'
  )
  await yieldToOthers()
  return { features, release, both, waiting, hashes: new Set(commits.map(({ hash }) => hash)) }
}

function lineOf(
  commits: readonly SeenCommit[],
  side: SeenCommit['side'],
  head: string | null,
  names: ReadonlyMap<string, readonly string[]>
): BroughtCommit[] {
  const own = commits.filter((each) => each.side === side)
  const brought = bringers(own, head)
  return notReverted(own, brought)
    .sort((one, other) => one.place - other.place)
    .map((commit) => {
      const merge = brought.get(commit.hash)
      const keys = commit.tickets.length > 0 ? commit.tickets : (merge?.tickets ?? [])
      return {
        commit,
        broughtBy: merge?.hash ?? null,
        keys: names.size === 0 ? keys : keys.flatMap((key) => [key, ...(names.get(key) ?? [])]),
        pullRequest: commit.pullRequest ?? merge?.pullRequest ?? null,
      }
    })
}
