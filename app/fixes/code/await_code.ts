import type { RowOf } from '#foundation/core/database/table'
import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import type { ReleaseCode } from '#features/queries/release_code'
import type Release from '#releases/models/release'
import { namedCode } from './code_by_name.js'
import { planFollow } from './follow_fixes.js'
import FixRequest from '../models/fix_request.js'
import { codeInRelease, reportLoss } from './find_lost_code.js'
import { fixRequests } from '../tables.js'
import { expectedInside, lostCommits } from './wanted_code.js'

const PICKED = select(
  of(fixRequests, 'f', ['id', 'status', 'wayIn', 'mergeHead', 'picks', 'includedCode']),
  `from fix_requests f where f.organization_id = :org and f.release_id = :releaseId
    and f.status in ('approved', 'failed', 'merged') and f.picks <> '{}'`
)

type Awaiting = Pick<
  RowOf<typeof fixRequests>,
  'id' | 'status' | 'wayIn' | 'mergeHead' | 'picks' | 'includedCode'
>

/**
 * Returns what the requests of a release await from a poll: commits that were brought in, and
 * commits whose branch was missing.
 */
export const awaitedOf = async (scope: Scope, releaseId: string): Promise<string[]> =>
  (await scope.rows(PICKED, { releaseId })).flatMap((request) => [
    ...unseen(request).map((commit) => nameOf(request, commit)),
    ...withoutBranch(request).map((commit) => nameOf(request, commit)),
  ])

const nameOf = ({ id }: Awaiting, commit: string) => `${id} ${commit}`

/** Returns picked commits that no poll has seen in the release yet. */
function unseen({ status, wayIn, mergeHead, picks, includedCode }: Awaiting): string[] {
  const picked = Object.keys(picks).filter((commit) => picks[commit].state === 'picked')
  if (status === 'merged') return includedCode === null ? picked : []
  const isMerging = wayIn === 'backMerge' && status === 'approved'
  return isMerging ? picked.filter((commit) => commit === mergeHead) : []
}

/** Returns commits that were not requested because their branch was missing. */
const withoutBranch = ({ status, picks }: Awaiting): string[] =>
  status === 'merged'
    ? []
    : Object.keys(picks).filter(
        (commit) => picks[commit].state === 'unasked' && picks[commit].isAway
      )

/**
 * Handles a poll of a release's branch that covers what was awaited before it began. Commits that
 * were brought in are there now, or were lost before any poll saw them; commits whose branch was
 * missing are requested again.
 */
export async function seeAwaited(
  scope: Scope,
  release: Release,
  awaited: readonly string[]
): Promise<void> {
  const requests = await scope
    .query(FixRequest)
    .where('releaseId', release.id)
    .whereNot('status', 'rejected')
    .exec()
  const isAwaited = new Set(awaited)
  const own = requests.map((request) => {
    const among = (commits: string[]) =>
      commits.filter((commit) => isAwaited.has(nameOf(request, commit)))
    return {
      request,
      brought: among(unseen(request)),
      withoutBranch: among(withoutBranch(request)),
    }
  })
  if (own.some((each) => each.withoutBranch.length > 0)) await planFollow(scope, release)
  const brought = own.filter((each) => each.brought.length > 0)
  const code = brought.length > 0 ? await namedCode(scope, release.id) : null
  if (!code) return
  for (const each of brought) await see(scope, release, each.request, each.brought, code)
}

/** Checks that a merge of the working branch is there, or leaves the request to a person. */
async function seeMerge(
  scope: Scope,
  release: Release,
  request: FixRequest,
  code: ReleaseCode
): Promise<void> {
  const { mergeHead, picks } = request
  const pickedAs = mergeHead === null ? undefined : picks[mergeHead].pickedAs
  if (mergeHead === null || pickedAs === undefined) return
  const isThere = code.release.some(({ commit: { hash } }) => [mergeHead, pickedAs].includes(hash))
  if (isThere) return
  await reportLoss(scope, release, request, code, { commits: [pickedAs], named: [mergeHead] })
}

async function see(
  scope: Scope,
  release: Release,
  request: FixRequest,
  brought: readonly string[],
  code: ReleaseCode
): Promise<void> {
  const base = code.features.releaseRange?.base
  if (base === undefined) return
  if (request.wayIn === 'backMerge') return seeMerge(scope, release, request, code)
  const expected = { base, commits: expectedInside(request, brought, code) }
  const lost = lostCommits(request, expected, code)
  if (lost.commits.length > 0) return reportLoss(scope, release, request, code, lost)
  if (request.status !== 'merged') return
  request.includedCode = codeInRelease(request, code) ?? expected
  await request.useTransaction(scope.transaction).save()
}
