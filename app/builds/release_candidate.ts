import { change, of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { integrations } from '#integrations/tables'
import { ciBuildsById, type CiBuildRow } from './queries/ci_builds.js'
import { ciBuilds, releaseCandidates } from './tables.js'
import type { CIBuildStatus } from './vocabulary.js'

const INTEGRATION = select(
  of(integrations, 'i', ['data']),
  'from integrations i where i.organization_id = :org and i.id = :installationId'
)
const CURRENT = select(
  of(releaseCandidates, 'c', ['ciBuildId', 'succeededBuildId', 'byHand', 'chosenAt']),
  'from release_candidates c where c.organization_id = :org and c.release_id = :releaseId'
)
const SELECT_BY_APP = select(
  of(ciBuilds, 'b', ['id']),
  'from ci_builds b where b.organization_id = :org and b.app_id = :appId limit 1'
)
const CHOOSE = change(
  `insert into release_candidates (release_id, organization_id, ci_build_id, succeeded_build_id,
    by_hand, chosen_at)
  values (:releaseId, :org, :ciBuildId, :succeededBuildId, false, :chosenAt)
  on conflict (release_id) do update set ci_build_id = excluded.ci_build_id,
    succeeded_build_id = excluded.succeeded_build_id, chosen_at = excluded.chosen_at`
)

const COMMIT = select(
  of(ciBuilds, 'b', ['commitHash']),
  `from release_candidates c join ci_builds b
    on b.id = case when c.by_hand then c.ci_build_id else c.succeeded_build_id end
  where c.organization_id = :org and c.release_id = :releaseId`
)

/** Returns the commit of the build that is to ship, as CI reported it; null while there is none. */
export async function candidateCommit(
  scope: Scope,
  { id: releaseId }: { id: string }
): Promise<string | null> {
  const [build] = await scope.rows(COMMIT, { releaseId })
  return build?.commitHash ?? null
}

/**
 * Returns the id of the CI build that is to ship: the one chosen by hand, or else the newest
 * successful candidate; null while there is none.
 */
export async function shippingBuild(scope: Scope, releaseId: string): Promise<string | null> {
  const [current] = await scope.rows(CURRENT, { releaseId })
  if (!current) return null
  return current.byHand ? current.ciBuildId : current.succeededBuildId
}

const UNUSABLE: readonly CIBuildStatus[] = ['failed', 'canceled', 'skipped']

/**
 * Returns the ids of the CI builds that may ship with a release: the one chosen by hand, or else
 * the active one and the newest successful one, without failed, canceled and skipped builds. Null if
 * the app has no CI builds at all.
 */
export async function candidateBuilds(
  scope: Scope,
  { id: releaseId, appId }: { id: string; appId: string }
): Promise<string[] | null> {
  const [current] = await scope.rows(CURRENT, { releaseId })
  if (!current) return (await scope.rows(SELECT_BY_APP, { appId })).length > 0 ? [] : null
  const { ciBuildId, succeededBuildId, byHand } = current
  if (byHand) return [ciBuildId]
  const builds = await ciBuildsById(scope, [
    ciBuildId,
    ...(succeededBuildId === null ? [] : [succeededBuildId]),
  ])
  return builds.filter(({ status }) => !UNUSABLE.includes(status)).map(({ id }) => id)
}

/**
 * SQL condition: a release counts on a CI build. It counts on the build chosen by hand, or else on
 * the active one and the newest successful one. The latter is the one that people can install while
 * a newer build runs or has failed.
 * @param id SQL expression for the id of the CI build
 */
export const isCountedOn = (id: string) =>
  `(exists (select 1 from release_candidates c where c.ci_build_id = ${id})
    or exists (select 1 from release_candidates c
      where c.succeeded_build_id = ${id} and not c.by_hand))`

const COUNTED = select(
  of(ciBuilds, 'b', ['id']),
  `from ci_builds b where b.organization_id = :org and b.id in json(:ids)
    and ${isCountedOn('b.id')}`
)

/**
 * Makes a build the active one of its release if it is the newest of the candidate workflow. A
 * build chosen by hand stays active. If the integration names no workflow, every build is a
 * candidate.
 */
export async function chooseCandidate(scope: Scope, build: CiBuildRow): Promise<void> {
  const { id, releaseId, installationId } = build
  if (releaseId === null || installationId === null || build.baseBranch !== null) return
  const [integration] = await scope.rows(INTEGRATION, { installationId })
  const workflow = integration?.data.workflowId
  if (workflow && ![build.workflowId, build.workflowName].includes(workflow as string)) return
  const [current] = await scope.rows(CURRENT, { releaseId })
  const before = current ?? { ciBuildId: null, succeededBuildId: null, byHand: false, chosenAt: '' }
  const ids = [before.ciBuildId, before.succeededBuildId].filter((each) => each !== null)
  const known = await ciBuildsById(scope, ids)
  const isNewerThan = (than: string | null) =>
    known.every((other) => other.id !== than || isNewer(build, other))
  const becomesActive = !before.byHand && isNewerThan(before.ciBuildId)
  const becomesSucceeded = build.status === 'success' && isNewerThan(before.succeededBuildId)
  if (!becomesActive && !becomesSucceeded) return
  await scope.change(CHOOSE, {
    releaseId,
    ciBuildId: becomesActive ? id : before.ciBuildId,
    succeededBuildId: becomesSucceeded ? id : before.succeededBuildId,
    chosenAt: becomesActive ? scope.now : before.chosenAt,
  })
}

type Age = Pick<CiBuildRow, 'startedAt' | 'createdAt' | 'id'>

/** Compares builds by start time, so that the order of reports does not matter. */
function isNewer(build: Age, other: Age): boolean {
  const keys = ({ startedAt, createdAt, id }: Age) => `${startedAt} ${createdAt} ${id}`
  return keys(build) > keys(other)
}

/** Returns the ids of those builds that a release counts on. */
export async function selectedBuilds(
  scope: Scope,
  ids: readonly string[]
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await scope.rows(COUNTED, { ids: JSON.stringify(ids) })
  return new Set(rows.map((row) => row.id))
}
