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
 * Has no store asked any more to release what it approved. A call may be on its way already: what
 * it lets out is stopped.
 * @param integrationIds of which stores; all of the release without
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
 * Has no store asked any more for what would bring a release further: its submission, its takeoff,
 * growth. What stops or withdraws it goes on. A call may be on its way already.
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
  stopOf: (plan: PlanRow) => typeof stopTakeoff | null
): Promise<void> {
  for (const { target, plan } of await storesOfRelease(scope, release)) {
    const stop = plan && stopOf(plan)
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
    const not = isStage
      ? `${version} is not ${NOT_DONE[wanted.what]}`
      : `The rollout of ${version} is not ${nameOf(rollout!.to)}`
    recordReleaseEvent(scope, release, {
      type: 'store.failed',
      title: `${not}: ${reason}`,
      data: { what, reason },
      payload: null,
    })
    if (!isStage || wanted.by.type !== 'automation' || wanted.is === 'failed') continue
    const action = wanted.what === 'submitted' ? 'submit' : 'release'
    await planningPort.provided.ended(scope, release, { action, result: 'failed', reason })
  }
}
