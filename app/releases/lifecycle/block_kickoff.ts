import type { Scope } from '#foundation/core/scope'
import type { KickoffFacts } from '../engine/facts.js'
import type Release from '../models/release.js'
import { stepRows } from '../queries/step_rows.js'
import { recordReleaseEvent } from '../timeline/record_release_event.js'
import { stepRuns } from '../tables.js'

/** Records in the timeline and in the kickoff step why a release could not be kicked off. */
export async function blockKickoff(
  scope: Scope,
  release: Release,
  facts: KickoffFacts & { blockedReason: string }
): Promise<void> {
  const { blockedReason, connection } = facts
  recordReleaseEvent(scope, release, {
    type: 'release.branchFailed',
    title: blockedReason,
    data: connection === undefined ? {} : { connection },
    payload: null,
  })
  await setKickoffFacts(scope, release, facts)
}

/** Stores the facts of the kickoff steps, for example that the branch failed or no longer fails. */
export async function setKickoffFacts(
  scope: Scope,
  release: Release,
  facts: KickoffFacts
): Promise<void> {
  const steps = (await stepRows(scope, release.id)).filter(({ type }) => type === 'kickoff')
  for (const { runId } of steps) await scope.update(stepRuns, { id: runId }, { facts })
  scope.touch(release)
}
