import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { planningPort } from '#releases/ports'
import { decideInStore } from '../decisions/decide_in_store.js'
import { storesOfRelease, type PlanRow } from '../queries/store_state.js'
import { stopProgress, stopTakeoff } from '../reconciler/decide.js'
import { isOpen } from '../reconciler/record.js'
import { stops } from '../reconciler/states.js'
import { nameOf } from '../decisions/rollout_names.js'
import type { Wanted } from '../tables.js'

const NOT_DONE: Record<Wanted['what'], string> = {
  submitted: 'submitted for review',
  withdrawn: 'withdrawn from review',
  released: 'released to users',
}

/**
 * Ends decisions to release approved versions. If a call is already under way, the rollout that it
 * begins is stopped.
 * @param integrationIds the stores; all stores of the release if absent
 */
export const stopTakeoffs = (
  scope: Scope,
  release: Release,
  reason: string,
  integrationIds?: readonly string[]
) =>
  stopStages(scope, release, reason, ({ wanted, integrationId }) => {
    const isMeant = integrationIds?.includes(integrationId) ?? true
    return isMeant && isOpen(wanted) && wanted.what === 'released' ? stopTakeoff : null
  })

/**
 * Ends decisions that would move a release forward: its submission, takeoff or rollout increase.
 * Stops and withdrawals go on. A call may already be under way.
 */
export const closeInStores = (scope: Scope, release: Release, reason: string) =>
  stopStages(scope, release, reason, ({ wanted, rollout }) => {
    const isStaging = isOpen(wanted) && wanted.what !== 'withdrawn'
    const isGrowing = isOpen(rollout) && !stops(rollout.to)
    return isStaging || isGrowing ? stopProgress : null
  })

async function stopStages(
  scope: Scope,
  release: Release,
  reason: string,
  stopFor: (plan: PlanRow) => typeof stopTakeoff | null
): Promise<void> {
  for (const { target, plan } of await storesOfRelease(scope, release)) {
    const stop = plan && stopFor(plan)
    if (!stop) continue
    const { wanted, rollout } = plan
    await decideInStore(scope, release, target, (record, version) =>
      stop(record, version, scope.now, reason)
    )
    const isStage = isOpen(wanted) && wanted.what !== 'withdrawn'
    // A question to people states its own standing.
    if (isStage && wanted.isAsked) continue
    const what = isStage ? wanted.what : 'rollout'
    const { version } = release
    const headline = isStage
      ? `${version} is not ${NOT_DONE[wanted.what]}`
      : `The rollout of ${version} is not ${nameOf(rollout!.to)}`
    recordReleaseEvent(scope, release, {
      type: 'store.failed',
      title: `${headline}: ${reason}`,
      data: { what, reason },
      payload: null,
    })
    if (!isStage || wanted.by.type !== 'automation' || wanted.status === 'failed') continue
    const action = wanted.what === 'submitted' ? 'submit' : 'release'
    await planningPort.provided.ended(scope, release, { action, result: 'failed', reason })
  }
}
