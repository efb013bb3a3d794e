import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { UNKNOWN_COMMIT, type CIBuildStatus } from '#builds/vocabulary'
import { ciBuilds } from '#builds/tables'
import type { BuildMatch } from '../vocabulary.js'

const CANDIDATES = select(
  of(ciBuilds, 'b', [
    'id',
    'buildIdentifier',
    'commitHash',
    'status',
    'version',
    'releaseId',
    'baseBranch',
  ]),
  `from ci_builds b where b.organization_id = :org and b.app_id = :appId
    and (b.build_identifier = :number or b.commit_hash = :commit)
  order by b.id`
)

/** The members of a CI build that matching needs. */
export interface Candidate {
  id: string
  buildIdentifier: string
  commitHash: string
  status: CIBuildStatus
  version: string | null
  releaseId: string | null
  /** The target branch of a pull request; such builds reach no store. */
  baseBranch: string | null
}

/** The members of a store's build that matching needs. */
interface Unmatched {
  buildNumber: string
  commitHash: string | null
  version: string
  releaseId: string | null
}

/**
 * Finds the CI build of a store's build by its number, or else by its commit. If several match,
 * returns null, and a person chooses. Pure, and independent of the order.
 */
export function matchOf(
  build: Unmatched,
  candidates: readonly Candidate[]
): { ciBuildId: string; by: BuildMatch } | null {
  const fitting = candidates.filter((each) => each.baseBranch === null && fits(build, each))
  const numbered = only(
    fitting.filter(({ buildIdentifier }) => buildIdentifier === build.buildNumber)
  )
  if (numbered) return { ciBuildId: numbered.id, by: 'number' }
  if (build.commitHash === null || build.commitHash === UNKNOWN_COMMIT) return null
  const built = only(fitting.filter(({ commitHash }) => commitHash === build.commitHash))
  return built && { ciBuildId: built.id, by: 'commit' }
}

/** Returns the only candidate, or the only one that succeeded. */
function only(candidates: readonly Candidate[]): Candidate | null {
  const good = candidates.filter(({ status }) => status === 'success')
  if (good.length === 1) return good[0]
  return good.length === 0 && candidates.length === 1 ? candidates[0] : null
}

/** Build numbers may restart with each version, so the version must match, too. */
function fits(build: Unmatched, { version, releaseId }: Candidate): boolean {
  if (releaseId !== null && build.releaseId !== null) return releaseId === build.releaseId
  return version === null || version === build.version
}

export async function findMatch(scope: Scope, appId: string, build: Unmatched) {
  const { buildNumber: number, commitHash } = build
  const commit = commitHash ?? ''
  return matchOf(build, await scope.rows(CANDIDATES, { appId, number, commit }))
}
