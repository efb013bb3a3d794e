import { compareTexts } from '../../foundation/core/compare_texts.js'
import { yieldToOthers } from '#foundation/core/yielding'
import { of, select, change, as } from '#foundation/core/database/statement'
import { integer } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import type { Commit } from '#plugin-kit/capabilities/source'
import type Release from '#releases/models/release'
import { readWords } from '../code/read_commit.js'
import { enteredAt, lineOf, textKeyOf } from '../code/commit_line.js'
import type { ReleaseFeatures } from '../queries/release_features.js'
import {
  releaseCommits,
  releaseFeatures,
  type CommitRange,
  type EdgeCommit,
  type OpenPull,
} from '../tables.js'
import type { CommitSide } from '../vocabulary.js'
import { ticketsKind } from '../work_kinds.js'
import type { CodeObservation, SeenRange } from '../work/code_look.js'

/** The longest message that is kept, in characters. */
const MAX_MESSAGE_LENGTH = 10_000

const HIGHEST = select(
  { place: as(integer(), 'coalesce(max(c.place), 0)') },
  'from release_commits c where c.organization_id = :org and c.release_id = :releaseId and c.side = :side'
)
const MENTIONED = select(
  of(releaseCommits, 'c', ['tickets']),
  `from release_commits c where c.organization_id = :org and c.release_id = :releaseId
    and c.tickets <> '[]'`
)
const PARENTS = select(
  of(releaseCommits, 'c', ['hash', 'parents', 'entered']),
  `from release_commits c where c.organization_id = :org and c.release_id = :releaseId
    and c.side = :side`
)
const UNMARK = change(
  `update release_commits set entered = null where organization_id = :org
    and release_id = :releaseId and side = :side`
)
const SET_PATCH = change(
  `update release_commits set patch_id = :patchId where organization_id = :org
    and release_id = :releaseId and hash = :hash`
)
const CLEAR = change(
  `delete from release_commits where organization_id = :org and release_id = :releaseId
    and side = :side`
)
const REMOVE = change(
  `delete from release_commits where organization_id = :org and release_id = :releaseId
    and side = :side and hash in json(:hashes)`
)

/**
 * Stores an observation of a release's code.
 * @returns whether anything differs
 */
export async function takeCode(
  scope: Scope,
  release: Release,
  features: ReleaseFeatures,
  observation: CodeObservation
): Promise<boolean> {
  // The last observation of a deleted branch remains valid.
  if (observation.missingBranch !== null) return false
  // Another observation may have been stored meanwhile: this one is then not based on what is
  // stored.
  const isStale =
    isOutdated(observation.release?.was, features.releaseRange, observation.release) ||
    isOutdated(observation.working?.was, features.workingRange, observation.working)
  if (isStale) return false
  const releaseChanged = await takeRange(
    scope,
    release,
    'release',
    features.releaseRange,
    observation.release,
    observation.patches
  )
  const learnt = await storePatches(scope, release.id, observation)
  const workingChanged = await takeRange(
    scope,
    release,
    'working',
    features.workingRange,
    observation.working,
    observation.patches
  )
  const isElsewhere = features.repository !== observation.repository
  const openPulls = observation.openPulls ?? (isElsewhere ? [] : features.openPulls)
  const pullsChanged = JSON.stringify(features.openPulls) !== JSON.stringify(openPulls)
  const patchesChanged = learnt || features.patchesOwed !== observation.patchesOwed
  const rangesChanged = releaseChanged || workingChanged || features.codeSeenAt === null
  const hasChanged = isElsewhere || rangesChanged || pullsChanged || patchesChanged
  if (!hasChanged) return false
  const mentioned = await mentionedKeys(scope, release.id, openPulls)
  const before = new Set(features.mentioned)
  const hasMore = mentioned.some((key) => !before.has(key))
  await scope.update(
    releaseFeatures,
    { releaseId: release.id },
    {
      releaseRange: observation.release?.range ?? null,
      workingRange: observation.working?.range ?? null,
      openPulls,
      repository: observation.repository,
      patchesOwed: observation.patchesOwed,
      ...(releaseChanged && {
        releaseEdge: await edgeOf(scope, release.id, 'release', observation),
      }),
      ...(workingChanged && {
        workingEdge: await edgeOf(scope, release.id, 'working', observation),
      }),
      codeSeenAt: scope.now,
      mentioned,
    }
  )
  if (hasMore) await findTickets(scope, release.id)
  return true
}

function isOutdated(
  was: CommitRange | null | undefined,
  kept: CommitRange | null,
  seen: SeenRange | null
): boolean {
  return seen !== null && JSON.stringify(was ?? null) !== JSON.stringify(kept)
}

/** Tickets that the code names are requested at once. */
async function findTickets(scope: Scope, releaseId: string): Promise<void> {
  await scope.jobs.move(ticketsKind, releaseId, scope.now)
}

async function takeRange(
  scope: Scope,
  { id: releaseId, appId }: Release,
  side: CommitSide,
  kept: CommitRange | null,
  seen: SeenRange | null,
  patches: CodeObservation['patches']
): Promise<boolean> {
  if (seen === null) {
    if (kept === null) return false
    await scope.change(CLEAR, { releaseId, side })
    return true
  }
  const { isAnew, came, went } = seen.delta
  const hasMoved = JSON.stringify(kept) !== JSON.stringify(seen.range)
  if (isAnew) await scope.change(CLEAR, { releaseId, side })
  else if (went.length > 0) {
    await scope.change(REMOVE, { releaseId, side, hashes: JSON.stringify(went) })
  }
  if (came.length > 0) {
    const [{ place }] = await scope.rows(HIGHEST, { releaseId, side })
    // A commit that returns is the same: it takes its new place.
    const hashes = JSON.stringify(came.map(({ sha }) => sha))
    if (!isAnew) await scope.change(REMOVE, { releaseId, side, hashes })
    const rows = []
    for (const [index, commit] of came.entries()) {
      if (index % COMMITS_PER_TURN === 0) await yieldToOthers()
      const at = Number(place) + came.length - index
      const patchId = patches.get(commit.sha) ?? null
      rows.push({ appId, releaseId, side, place: at, ...rowOf(commit), patchId })
    }
    const { head } = seen.range
    const isContinued = isAnew || lineOf(rows, head).at(-1)?.parents[0] === kept?.head
    const entered = isContinued ? enteredAt(rows, head) : new Map<string, number>()
    await scope.insert(
      releaseCommits,
      rows.map((row) => ({ ...row, entered: entered.get(row.hash) ?? null }))
    )
    // On a different line, the stored places of entry no longer apply.
    if (!isContinued) await scope.change(UNMARK, { releaseId, side })
  } else if (kept !== null && kept.head !== seen.range.head) {
    await scope.change(UNMARK, { releaseId, side })
  }
  return hasMoved
}

/** Commits processed before the thread is yielded. */
const COMMITS_PER_TURN = 100

/** Stores patch ids of commits that were kept without one. @returns whether there are any */
async function storePatches(
  scope: Scope,
  releaseId: string,
  { release, working, patches }: CodeObservation
): Promise<boolean> {
  const came = [...(release?.delta.came ?? []), ...(working?.delta.came ?? [])]
  const isNew = new Set(came.map(({ sha }) => sha))
  const old = [...patches].filter(([hash]) => !isNew.has(hash))
  for (const [index, [hash, patchId]] of old.entries()) {
    if (index % COMMITS_PER_TURN === 0) await yieldToOthers()
    await scope.change(SET_PATCH, { releaseId, hash, patchId })
  }
  return old.length > 0
}

function rowOf({ sha, message, author, at, url, parents }: Commit) {
  const words = readWords(message)
  const kept = { message: message.slice(0, MAX_MESSAGE_LENGTH), author: author.slice(0, 320) }
  return {
    hash: sha,
    ...kept,
    committedAt: at,
    url: url?.slice(0, 2048) ?? null,
    parents,
    ...words,
    origin: words.pickedFrom[0] ?? null,
    moreOrigins: words.pickedFrom.length > 1 ? words.pickedFrom : null,
    textKey: textKeyOf(kept),
  }
}

/** Returns the commits outside of a range that it builds on. */
async function edgeOf(
  scope: Scope,
  releaseId: string,
  side: CommitSide,
  observation: CodeObservation
): Promise<EdgeCommit[]> {
  const rows = await scope.rows(PARENTS, { releaseId, side })
  const head = observation[side]?.range.head
  // An empty range builds on its head alone.
  if (rows.length === 0) return head === undefined ? [] : [{ hash: head, at: 0 }]
  const inside = new Set(rows.map(({ hash }) => hash))
  const edge = new Map<string, number | null>()
  for (const { parents, entered } of rows) {
    for (const each of parents) {
      if (inside.has(each)) continue
      const before = edge.get(each)
      const isSooner =
        before === undefined || (before !== null && entered !== null && entered < before)
      if (isSooner || entered === null) edge.set(each, entered)
    }
  }
  return [...edge]
    .map(([hash, at]) => ({ hash, at }))
    .sort((one, other) => compareTexts(one.hash, other.hash))
}

async function mentionedKeys(
  scope: Scope,
  releaseId: string,
  openPulls: readonly OpenPull[]
): Promise<string[]> {
  const rows = await scope.rows(MENTIONED, { releaseId })
  const keys = new Set(rows.flatMap(({ tickets }) => tickets))
  for (const pull of openPulls) for (const key of pull.keys) keys.add(key)
  return [...keys].sort()
}
