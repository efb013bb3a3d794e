import { change, of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { integrations } from '#integrations/tables'
import type { CiBuildRow } from './queries/ci_builds.js'
import { ciBuilds, releaseCandidates } from './tables.js'

const INTEGRATION = select(
  of(integrations, 'i', ['data']),
  'from integrations i where i.organization_id = :org and i.id = :installationId'
)
const CURRENT = select(
  {
    ...of(ciBuilds, 'b', ['startedAt', 'createdAt', 'id', 'commitHash']),
    ...of(releaseCandidates, 'c', ['byHand']),
  },
  `from release_candidates c join ci_builds b on b.id = c.ci_build_id
  where c.organization_id = :org and c.release_id = :releaseId`
)
const CHOOSE = change(
  `insert into release_candidates (release_id, organization_id, ci_build_id, by_hand, chosen_at)
  values (:releaseId, :org, :id, false, :now)
  on conflict (release_id) do update set ci_build_id = excluded.ci_build_id,
    chosen_at = excluded.chosen_at`
)
const CANDIDATES = select(
  of(releaseCandidates, 'c', ['ciBuildId']),
  'from release_candidates c where c.organization_id = :org and c.ci_build_id in json(:ids)'
)

/** The commit of the build that a release counts on, as CI told it; null while there is none. */
export async function candidateCommit(
  scope: Scope,
  { id: releaseId }: { id: string }
): Promise<string | null> {
  const [current] = await scope.rows(CURRENT, { releaseId })
  return current?.commitHash ?? null
}

/**
 * Makes a build the one that counts for its release, where it is the newest of the candidate
 * workflow and nobody chose one by hand: that stays. An integration whose settings name no
 * workflow has candidates alone.
 */
export async function chooseCandidate(scope: Scope, build: CiBuildRow): Promise<void> {
  const { id, releaseId, installationId } = build
  if (releaseId === null || installationId === null || build.baseBranch !== null) return
  const [integration] = await scope.rows(INTEGRATION, { installationId })
  const workflow = integration?.data.workflowId
  if (workflow && ![build.workflowId, build.workflowName].includes(workflow as string)) return
  const [current] = await scope.rows(CURRENT, { releaseId })
  if (current && (current.byHand || !isNewer(build, current))) return
  await scope.change(CHOOSE, { releaseId, id, now: scope.now })
}

type Age = Pick<CiBuildRow, 'startedAt' | 'createdAt' | 'id'>

/** By when they began, which the order they are told of in does not change. */
function isNewer(build: Age, other: Age): boolean {
  const keys = ({ startedAt, createdAt, id }: Age) => `${startedAt} ${createdAt} ${id}`
  return keys(build) > keys(other)
}

/** Those of some builds that a release counts on. */
export async function selectedBuilds(
  scope: Scope,
  ids: readonly string[]
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await scope.rows(CANDIDATES, { ids: JSON.stringify(ids) })
  return new Set(rows.map(({ ciBuildId }) => ciBuildId))
}
