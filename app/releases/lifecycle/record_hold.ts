import { change } from '#foundation/core/database/statement'
import { storedRow } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import type { Assessment } from '../engine/assessment.js'
import { assessSteps } from '../engine/evaluate.js'
import type { ReleaseFacts } from '../engine/facts.js'
import { heldBy, mayWaitForOtherRelease } from '../engine/held_by.js'
import type Release from '../models/release.js'
import { heldByExtensions } from '../queries/held_by_extensions.js'
import { loadFacts } from '../queries/load_facts.js'
import { releaseHolds } from '../tables.js'

const UPSERT_HOLD = change(
  `insert into release_holds (organization_id, release_id, since, hold)
  values (:org, :release_id, :since, :hold)
  on conflict (release_id, since) do update set hold = excluded.hold`
)

/** Records the hold of a release if it differs from the last one. The caller saves the release. */
export async function recordHold(
  scope: Scope,
  release: Release,
  facts: ReleaseFacts,
  assessments: ReadonlyMap<string, Assessment>
): Promise<void> {
  let hold = heldBy(facts, scope.now, assessments)
  if (hold && mayWaitForOtherRelease(hold)) {
    const outside = await heldByExtensions(scope, release)
    hold = heldBy(facts, scope.now, assessments, outside)
  }
  if (JSON.stringify(hold) === JSON.stringify(release.heldBy ?? null)) return
  release.heldBy = hold
  if (hold === null) return
  await scope.change(
    UPSERT_HOLD,
    storedRow(releaseHolds, { releaseId: release.id, since: scope.now, hold })
  )
}

/**
 * Records the hold of a release after the other release of its pair has changed, without deriving
 * it. Does nothing if the release cannot be waiting for the other one.
 */
export async function recordHoldAfterPairChange(scope: Scope, release: Release): Promise<void> {
  if (!release.heldBy || !mayWaitForOtherRelease(release.heldBy)) return
  const { facts } = await loadFacts(scope, release)
  await recordHold(scope, release, facts, assessSteps(facts))
  await release.useTransaction(scope.transaction).save()
}
