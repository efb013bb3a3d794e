import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { reachedFrom } from '../code/reach.js'
import { bringers, hasCommit, notReverted, type SeenCommit } from '../code/commit_line.js'
import type { ReleaseFeatures } from '../queries/release_features.js'
import { seenCommits } from '../queries/seen_commits.js'
import { releaseCommits } from '../tables.js'
import type { CommitSide } from '../vocabulary.js'

/** Releases that contain a commit of the edge, and that revert something. */
const EARLIER = select(
  of(releaseCommits, 'c', ['releaseId']),
  `from release_commits c where c.organization_id = :org and c.app_id = :appId
    and c.side = 'release' and c.release_id <> :releaseId and c.hash in json(:edge)
    and exists (select 1 from release_commits v where v.release_id = c.release_id
      and v.organization_id = c.organization_id and v.reverts <> '[]')`
)

/** Commits that are not in the range of a release, but that it contains all the same. */
export interface CarriedOver {
  commits: SeenCommit[]
  /** The merges that brought it, by the hash of the commit. */
  brought: Map<string, SeenCommit>
}

/** Moves places before all of a range. */
const FAR_BELOW = 2 ** 31

/**
 * Returns the changes that an earlier branch reverted on its own after this one had diverged: a
 * release contains what the last one left out, and the working branch what its release reverted
 * (docs/decisions/0023-what-is-in-a-release.md).
 */
export async function carriedOver(
  scope: Scope,
  { id: releaseId, appId }: { id: string; appId: string },
  { releaseEdge, workingEdge }: ReleaseFeatures,
  own: readonly SeenCommit[]
): Promise<CarriedOver> {
  const carried: CarriedOver = { commits: [], brought: new Map() }
  const edge = (releaseEdge ?? []).map((each) => (typeof each === 'string' ? each : each.hash))
  const bound = { appId, releaseId, edge: JSON.stringify(edge) }
  const earlier = edge.length === 0 ? [] : await scope.rows(EARLIER, bound)
  for (const id of new Set(earlier.map((each) => each.releaseId))) {
    const line = (await seenCommits(scope, id)).filter(({ side }) => side === 'release')
    add(carried, leftOut(line, edge), 'release')
  }
  if (workingEdge && own.some(({ side, reverts }) => side === 'release' && reverts.length > 0)) {
    const line = own.filter(({ side }) => side === 'release')
    const behind = workingEdge.map(({ hash }) => hash)
    add(carried, leftOut(line, behind), 'working')
  }
  return carried
}

function add(carried: CarriedOver, { commits, brought }: CarriedOver, side: CommitSide): void {
  for (const each of commits) {
    carried.commits.push({ ...each, side, place: each.place - FAR_BELOW })
    const merge = brought.get(each.hash)
    if (merge) carried.brought.set(each.hash, merge)
  }
}

/** Returns the commits behind an edge that the branch reverted after it, oldest first. */
function leftOut(line: readonly SeenCommit[], edge: readonly string[]): CarriedOver {
  const reached = reachedFrom(line, edge)
  const part = line.filter(({ hash }) => reached.has(hash))
  const brought = bringers(part, part.at(-1)?.hash ?? null)
  const isStillIn = hasCommit(notReverted(line, bringers(line, line.at(-1)?.hash ?? null)))
  const commits = notReverted(part, brought).filter(
    (each) => each.reverts.length === 0 && !isStillIn(each)
  )
  return { commits, brought }
}
