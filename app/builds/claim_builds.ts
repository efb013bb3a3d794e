import { change, of } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { normalVersion } from '#workflow/version'
import { storeCandidateFacts } from './candidate_runs.js'
import { ciBuildsById } from './queries/ci_builds.js'
import { chooseCandidate } from './release_candidate.js'
import { ciBuilds } from './tables.js'

const CLAIM = change(
  `update ci_builds set release_id = :releaseId
  where organization_id = :org and app_id = :appId and version = :version and release_id is null`,
  of(ciBuilds, 'ci_builds', ['id'])
)

/** Assigns a new release the builds of its version that were reported before it existed. */
export async function claimBuilds(scope: Scope, release: Release): Promise<void> {
  const { id, appId, parts } = release
  const version = normalVersion(parts)
  const { rows } = await scope.change(CLAIM, { releaseId: id, appId, version })
  const builds = await ciBuildsById(
    scope,
    rows.map((row) => row.id)
  )
  for (const build of builds) await chooseCandidate(scope, build)
  for (const build of builds) await storeCandidateFacts(scope, release, build)
}
