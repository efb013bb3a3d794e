import type { Scope } from '#foundation/core/scope'
import { yieldToOthers } from '#foundation/core/yielding'
import { bringers, hasCommit, notReverted, type SeenCommit } from '../code/commit_line.js'
import { seenCommits } from './seen_commits.js'
import { movedNames } from './ticket_names.js'
import { releaseFeaturesOf, type ReleaseFeatures } from './release_features.js'

/** A commit with its tickets and pull request: its own, or those of the merge that brought it. */
export interface BroughtCommit {
  commit: SeenCommit
  /** The merge that brought it into the line of its branch; null if it is on the line itself. */
  broughtBy: string | null
  /** Possible ticket keys, in upper case, with all known keys of moved tickets. */
  keys: readonly string[]
  pullRequest: number | null
}

/** The code of a release as it was last observed, without reverted commits; oldest first. */
export interface ReleaseCode {
  features: ReleaseFeatures
  /** Commits of the release. */
  release: BroughtCommit[]
  /** Commits of the working branch that the release has under another hash. */
  both: BroughtCommit[]
  /** Commits that only the working branch has. */
  waiting: BroughtCommit[]
  /** Hashes of all commits, including reverted ones. */
  hashes: ReadonlySet<string>
}

/** Returns the code of a release, by its internal id; null before the first poll. */
export async function releaseCode(scope: Scope, releaseId: string): Promise<ReleaseCode | null> {
  const features = await releaseFeaturesOf(scope, releaseId)
  if (!features || features.codeSeenAt === null) return null
  const commits = await seenCommits(scope, releaseId)
  const names = await movedNames(scope, features.appId, features.mentioned)
  const release = lineOf(commits, 'release', features.releaseRange?.head ?? null, names)
  await yieldToOthers()
  const working = lineOf(commits, 'working', features.workingRange?.head ?? null, names)
  await yieldToOthers()
  const isInRelease = hasCommit(release.map(({ commit }) => commit))
  await yieldToOthers()
  const { both = [], waiting = [] } = Object.groupBy(working, ({ commit }) =>
    isInRelease(commit) ? 'both' : 'waiting'
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
