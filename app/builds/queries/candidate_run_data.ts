import { of, select } from '#foundation/core/database/statement'
import type { Static } from '@sinclair/typebox'
import type { Scope } from '#foundation/core/scope'
import type { RunRow } from '#releases/queries/run_rows'
import { buildsOfRun } from '../candidate_runs.js'
import type { ReleaseCandidateStepRunData } from '../entities.js'
import { releaseCandidates } from '../tables.js'
import { ciBuildEntities } from './ci_build_entities.js'
import { ciBuildsById } from './ci_builds.js'

const CHOSEN = select(
  of(releaseCandidates, 'c', ['ciBuildId']),
  `from release_candidates c
  where c.organization_id = :org and c.release_id = :releaseId and c.by_hand`
)

/** Returns the data of a run of a candidate step: its active build and the number of its builds. */
export async function candidateRunData(
  scope: Scope,
  { id, releaseId }: Pick<RunRow, 'id' | 'releaseId'>
): Promise<Static<typeof ReleaseCandidateStepRunData>> {
  const ids = await buildsOfRun(scope, id)
  const [activeBuild = null] = await ciBuildEntities(
    scope,
    await ciBuildsById(scope, ids.slice(0, 1))
  )
  const [chosen] = await scope.rows(CHOSEN, { releaseId })
  const lockedBuildId = chosen && chosen.ciBuildId === ids[0] ? chosen.ciBuildId : null
  return { activeBuild, lockedBuildId, builds: ids.length }
}
